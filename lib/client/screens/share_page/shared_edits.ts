import { encodePath, type EntryPath, parseUrlPath } from "../../../shared/path.ts";
import { type Result, success } from "../../../shared/result.ts";
import type { Resource } from "../../../shared/api_types.ts";
import { type ApiPath, path } from "../../base/api/api_path.ts";
import { type Call, type Calls, readJson } from "../../base/api/calls.ts";
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
  async resource(at: EntryPath, { sorting, signal: _, ...window }: FolderWindow) {
    const query = { ...window, sort: sorting?.by, order: sorting?.asc === false ? "desc" : "asc" };
    const answer = await this.#call(this.#entry(at), { method: "GET", query });
    return answer.ok ? await readJson<Resource>(answer.value) : answer;
  }

  /** Makes a folder. */
  async makeFolder(at: EntryPath): Promise<Result<void>> {
    return done(await this.#call(this.#entry(at), { method: "POST" }));
  }

  /** Gives a file the content of another. */
  async replace(at: EntryPath, body: File): Promise<Result<void>> {
    return done(await this.#call(this.#entry(at), { method: "PUT", body }));
  }

  /** Renames or moves an entry. @returns where it is now */
  async move(from: EntryPath, to: EntryPath): Promise<Result<EntryPath>> {
    const query = { action: "rename", destination: encodePath(to) };
    const answer = await this.#call(this.#entry(from), { method: "PATCH", query });
    if (!answer.ok) return answer;
    const [, behind = ""] = answer.value.headers.get("content-location")
      ?.split("/api/public/share/") ?? [];
    return success(parseUrlPath(behind.slice(behind.indexOf("/"))).path);
  }

  /** Moves an entry to its owner's trash. @returns the id by which it is put back */
  async discard(at: EntryPath): Promise<Result<string>> {
    const answer = await this.#call(this.#entry(at), { method: "DELETE" });
    if (!answer.ok) return answer;
    return success(answer.value.headers.get("content-location")?.split("/").at(-1) ?? "");
  }

  /** Puts back what oneself has deleted. */
  async restore(id: string): Promise<Result<void>> {
    const to = path`/api/public/trash/${this.#share.hash}/${id}`;
    return done(await this.#call(to, { method: "POST" }));
  }

  #entry(at: EntryPath): ApiPath {
    return path`/api/public/share/${this.#share.hash}${at}`;
  }

  #call(to: ApiPath, { query, ...call }: Call): Promise<Result<Response>> {
    const token = this.#share.token || undefined;
    return this.#calls.call(to, { ...call, query: { ...query, token }, byLink: true });
  }
}

function done(answer: Result<Response>): Result<void> {
  return answer.ok ? success(undefined) : answer;
}
