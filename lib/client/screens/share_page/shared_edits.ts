import { encodePath, type EntryPath, parseUrlPath } from "../../../shared/path.ts";
import { type Result, success } from "../../../shared/result.ts";
import type { Resource } from "../../../shared/api_types.ts";
import type { Calls } from "../../base/api/calls.ts";
import type { FolderWindow } from "../../base/api/api.ts";
import type { LinkedShare } from "./share_links.ts";

/** The client of the calls by which a recipient changes what is shared. */
export class SharedEdits {
  readonly #calls: Calls;
  readonly #share: LinkedShare;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls, share: LinkedShare) {
    this.#calls = calls;
    this.#share = share;
  }

  /** A folder in the share; see `Api.resource`. */
  resource(
    at: EntryPath,
    { offset, limit, sorting }: Pick<FolderWindow, "offset" | "limit" | "sorting">,
  ): Promise<Result<Resource>> {
    const order = sorting?.asc === false ? "desc" as const : "asc" as const;
    return this.#calls.json("GET /api/public/share/{path}", {
      ...this.#entry(at),
      query: { offset, limit, sort: sorting?.by, order, ...this.#proof() },
    });
  }

  /** Makes a folder. */
  makeFolder(at: EntryPath): Promise<Result<void>> {
    const query = this.#proof();
    return this.#calls.done("POST /api/public/share/{path}", { ...this.#entry(at), query });
  }

  /** Gives a file the content of another. */
  replace(at: EntryPath, body: File): Promise<Result<void>> {
    const query = this.#proof();
    return this.#calls.done("PUT /api/public/share/{path}", { ...this.#entry(at), query, body });
  }

  /** Renames or moves an entry. @returns where it is now */
  async move(from: EntryPath, to: EntryPath): Promise<Result<EntryPath>> {
    const answer = await this.#calls.call("PATCH /api/public/share/{path}", {
      ...this.#entry(from),
      query: { action: "rename", destination: encodePath(to), ...this.#proof() },
    });
    if (!answer.ok) return answer;
    const [, behind = ""] = answer.value.headers.get("content-location")
      ?.split("/api/public/share/") ?? [];
    return success(parseUrlPath(behind.slice(behind.indexOf("/"))).path);
  }

  /** Moves an entry to its owner's trash. @returns the id by which it is put back */
  async discard(at: EntryPath): Promise<Result<string>> {
    const call = { ...this.#entry(at), query: this.#proof() };
    const answer = await this.#calls.call("DELETE /api/public/share/{path}", call);
    if (!answer.ok) return answer;
    return success(answer.value.headers.get("content-location")?.split("/").at(-1) ?? "");
  }

  /** Puts back what oneself has deleted. */
  restore(id: string): Promise<Result<void>> {
    const params = { path: `/${this.#share.hash}/${id}` };
    const call = { params, query: this.#proof(), byLink: true };
    return this.#calls.done("POST /api/public/trash/{path}", call);
  }

  #entry(at: EntryPath) {
    return { params: { path: `/${this.#share.hash}${at}` }, byLink: true };
  }

  #proof() {
    return { token: this.#share.token || undefined };
  }
}
