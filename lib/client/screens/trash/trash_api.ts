import type { TrashPage } from "../../../shared/schemas/trash.ts";
import { FIRST_TRASHED } from "../../../shared/list_page.ts";
import { nameOf, parseUrlPath } from "../../../shared/path.ts";
import type { Calls } from "../../base/api/calls.ts";
import { useShared } from "../../base/core/page.ts";
import { useApi } from "../../base/core/use_site.ts";
import { type Result, success } from "../../../shared/result.ts";

/** The client of the calls about the user's trash. */
class TrashApi {
  readonly #calls: Calls;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The entries in it. @param before `next` of the page before */
  list(query: string, before?: string, signal?: AbortSignal): Promise<Result<TrashPage>> {
    return this.#calls.json("GET /api/trash", {
      query: { query, before, limit: FIRST_TRASHED },
      signal,
    });
  }

  /** Puts an entry back where it was. The value is the name that it has there. */
  async restore(id: string): Promise<Result<string>> {
    const answer = await this.#calls.call("POST /api/trash/{id}", { params: { id } });
    if (!answer.ok) return answer;
    await answer.value.body?.cancel();
    return success(nameOf(parseUrlPath(answer.value.headers.get("content-location") ?? "").path));
  }

  /** Deletes an entry for good. */
  remove(id: string): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/trash/{id}", { params: { id } });
  }
}

/** The API client of the trash. */
export function useTrashApi(): TrashApi {
  const { calls } = useApi();
  return useShared("trash", () => new TrashApi(calls));
}
