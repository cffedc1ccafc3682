import type { TrashPage } from "../../../shared/schemas/trash.ts";
import { FIRST_TRASHED } from "../../../shared/list_page.ts";
import { nameOf, parseUrlPath } from "../../../shared/path.ts";
import { path } from "../../base/api/api_path.ts";
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
    const asked = { query, before, limit: FIRST_TRASHED };
    return this.#calls.json(path`/api/trash`, { query: asked, signal });
  }

  /** Puts an entry back where it was. The value is the name that it has there. */
  async restore(id: string): Promise<Result<string>> {
    const answer = await this.#calls.call(path`/api/trash/${id}`, { method: "POST" });
    if (!answer.ok) return answer;
    await answer.value.body?.cancel();
    return success(nameOf(parseUrlPath(answer.value.headers.get("content-location") ?? "").path));
  }

  /** Deletes an entry for good. */
  remove(id: string): Promise<Result<void>> {
    return this.#calls.done(path`/api/trash/${id}`, { method: "DELETE" });
  }
}

/** The API client of the trash. */
export function useTrashApi(): TrashApi {
  const { calls } = useApi();
  return useShared("trash", () => new TrashApi(calls));
}
