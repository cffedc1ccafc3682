import type { EntryPath } from "../../../shared/path.ts";
import type { Favorite } from "../../../shared/schemas/places.ts";
import type { Calls } from "../../base/api/calls.ts";
import type { Result } from "../../../shared/result.ts";

/** The client of the calls about favourites. */
export class FavoritesApi {
  readonly #calls: Calls;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The favourites in their order. */
  list(signal?: AbortSignal): Promise<Result<Favorite[]>> {
    return this.#calls.json("GET /api/favorites", { signal });
  }

  /** Stars an entry, or moves its star. @param before the favourite that it comes before */
  put(at: EntryPath, before?: EntryPath): Promise<Result<void>> {
    return this.#calls.done("PUT /api/favorites/{path}", {
      params: { path: at },
      query: { before },
    });
  }

  /** Takes a star away. */
  remove(at: EntryPath): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/favorites/{path}", { params: { path: at } });
  }
}
