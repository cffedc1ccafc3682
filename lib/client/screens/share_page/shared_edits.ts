import { encodePath, type EntryPath, parseUrlPath } from "../../../shared/path.ts";
import { type Result, success } from "../../../shared/result.ts";
import type { Resource } from "../../../shared/api_types.ts";
import { failureOfAnswer, failureOfThrow } from "../../base/api/answer.ts";
import { type ApiPath, path } from "../../base/api/api_path.ts";
import { type Calls, type Query, readJson } from "../../base/api/calls.ts";
import type { FolderWindow } from "../../base/api/api.ts";
import type { LinkedShare } from "./share_links.ts";

/** The session that calls are made in. */
interface CallingSession {
  current(): string | null;
}

interface EditCall {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Query;
  body?: Blob;
}

/** The client of the calls by which a recipient changes what is shared. */
export class SharedEdits {
  readonly #calls: Calls;
  readonly #session: CallingSession;
  readonly #share: LinkedShare;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls, session: CallingSession, share: LinkedShare) {
    this.#calls = calls;
    this.#session = session;
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

  async #call(to: ApiPath, { method, query, body }: EditCall): Promise<Result<Response>> {
    const { token } = this.#share;
    const address = this.#calls.address(to, { ...query, token: token || undefined });
    const headers = this.#calls.headers({});
    const sent = this.#session.current();
    try {
      const answer = await fetch(address, { method, headers, body, cache: "no-store" });
      const { status } = answer;
      const renewToken = answer.headers.get("x-renew-token");
      // 401 is about the password of the share: a session that has ended finds no share.
      if (status !== 401) this.#calls.observeResponse({ status, renewToken }, sent);
      if (answer.ok) return success(answer);
      return failureOfAnswer(status, await answer.text(), answer.headers.get("retry-after"));
    } catch (error) {
      return failureOfThrow(error);
    }
  }
}

function done(answer: Result<Response>): Result<void> {
  return answer.ok ? success(undefined) : answer;
}
