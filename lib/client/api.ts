import { childOf, encodePath, type EntryPath, parentOf } from "../access/path.ts";
import type { ChecksumName, Resource, ShareInfo, Sorting, Usage } from "../api_types.ts";
import { failureOfAnswer, failureOfThrow } from "./answer.ts";
import { type ApiPath, path } from "./api_path.ts";
import { type Result, success } from "./result.ts";
import type { Session } from "./session.ts";

type Query = Record<string, string | number | boolean | undefined>;

interface Call {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Query;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as plain text. */
  text?: string;
  /** The tag of the version that the call is about: another one is 412. */
  version?: string;
  signal?: AbortSignal;
  /** What kind of answer is wanted; JSON unless given. */
  accept?: string;
  /** The browser may take the answer from its cache. */
  cached?: boolean;
  /** Sent without the token: what the cookie alone is good for. */
  anonymous?: boolean;
}

/** Which rows of a folder to read, and in which order. */
export interface FolderWindow {
  offset: number;
  limit: number;
  sorting?: Sorting;
  /** The name of an entry: of windows of `limit` rows, the one that it is in. */
  around?: string;
  signal?: AbortSignal;
}

/** How an entry is copied or moved. */
export interface TransferWishes {
  action: "copy" | "move";
  /** Replaces a file that has the name, and merges into a folder. */
  override?: boolean;
  /** Picks another name when this one is taken. */
  rename?: boolean;
  /** Giving up stops the server, which takes back what it had begun. */
  signal?: AbortSignal;
}

/** How something is shared, as it was filled in. */
export interface ShareDraft {
  /** "" for none. */
  password: string;
  /** 0 for ever. */
  expires: number;
  unit: "seconds" | "minutes" | "hours" | "days";
}

/** A name and a password, as they were typed. */
export interface Credentials {
  username: string;
  password: string;
  recaptcha?: string;
}

/**
 * The one client of the server's calls. Nothing here throws because of the network or the server:
 * each call resolves to a {@linkcode Result}. The token travels in `X-Auth`; when the server says
 * that it grows old it is renewed, once however many calls are told so; when it is no longer taken
 * the session is marked as expired.
 */
export class Api {
  readonly #baseUrl: string;
  readonly #session: Session;
  readonly #fetch: typeof fetch;
  #renewal: Promise<boolean> | null = null;

  /** @param options.baseUrl "" or "/base", without a trailing slash */
  constructor(options: { baseUrl: string; session: Session; fetch?: typeof fetch }) {
    this.#baseUrl = options.baseUrl;
    this.#session = options.session;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** The URL of a call, base and query included. */
  address(to: ApiPath, query: Query = {}): string {
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) search.set(key, String(value));
    }
    return `${this.#baseUrl}${to}${search.size > 0 ? `?${search}` : ""}`;
  }

  /** A window of a folder's entries, with the counts of the whole folder; or one file. */
  async resource(at: EntryPath, window: FolderWindow): Promise<Result<Resource>> {
    const { offset, limit, around, sorting, signal } = window;
    const sort = sorting?.by;
    const order = sorting && (sorting.asc ? "asc" : "desc");
    const query = { offset, limit, around, sort, order };
    const answer = await this.#call(path`/api/resources${at}`, { query, signal });
    if (!answer.ok) return answer;
    const version = answer.value.headers.get("etag");
    const read = await readJson<Resource>(answer.value);
    if (read.ok && version !== null) read.value.version = version;
    return read;
  }

  /**
   * Saves the text of a file that is there, and tells the new version.
   *
   * @param options.encoding as the file's description tells it
   * @param options.version the version that is replaced; when it is another one, nothing is (412)
   */
  async saveText(
    at: EntryPath,
    text: string,
    { encoding, version }: { encoding?: string; version?: string },
  ): Promise<Result<string | undefined>> {
    const call = { method: "PUT", query: { encoding }, text, version } as const;
    const answer = await this.#call(path`/api/resources${at}`, call);
    if (!answer.ok) return answer;
    const said = await readText(answer.value);
    return said.ok ? success(answer.value.headers.get("etag") ?? undefined) : said;
  }

  /** Whether something is at a path, as far as the user may know. */
  async exists(at: EntryPath): Promise<Result<boolean>> {
    const answer = await this.#call(path`/api/resources${at}`, { method: "HEAD" });
    if (answer.ok) return success(true);
    return answer.status === 404 ? success(false) : answer;
  }

  /** Makes a folder, and its parents; it is no failure when it is there already. */
  makeFolder(at: EntryPath, signal?: AbortSignal): Promise<Result<void>> {
    return this.#done(path`/api/resources${at}/`, { method: "POST", signal });
  }

  /** Makes an empty file; what has the name already is left as it is (409). */
  makeFile(at: EntryPath): Promise<Result<void>> {
    return this.#done(path`/api/resources${at}`, { method: "POST" });
  }

  /** Deletes a file, or a folder with all that is in it. */
  remove(at: EntryPath, signal?: AbortSignal): Promise<Result<void>> {
    return this.#done(path`/api/resources${at}`, { method: "DELETE", signal });
  }

  /** Copies an entry, or gives it another name or place; tells the path that it has then. */
  async transfer(
    from: EntryPath,
    to: EntryPath,
    { action, override, rename, signal }: TransferWishes,
  ): Promise<Result<EntryPath>> {
    const query = {
      action: action === "move" ? "rename" : action,
      destination: to,
      override,
      rename,
    };
    const answer = await this.#call(path`/api/resources${from}`, {
      method: "PATCH",
      query,
      signal,
    });
    if (!answer.ok) return answer;
    const name = answer.value.headers.get("content-location")?.split("/").at(-1);
    return success(name ? childOf(parentOf(to), decodeURIComponent(name)) : to);
  }

  /** The digest of a file, in hexadecimal; giving up stops the server's work on it. */
  async checksum(
    at: EntryPath,
    checksum: ChecksumName,
    signal?: AbortSignal,
  ): Promise<Result<string>> {
    const call = { query: { checksum }, signal };
    const answer = await this.#json<Resource>(path`/api/resources${at}`, call);
    return answer.ok ? success(answer.value.checksums?.[checksum] ?? "") : answer;
  }

  /** How full the disk is that holds a path. */
  usage(at: EntryPath, signal?: AbortSignal): Promise<Result<Usage>> {
    return this.#json(path`/api/usage${at}`, { signal });
  }

  /** The events of a folder that is watched; the answer goes on until the signal. */
  async watch(
    at: EntryPath,
    signal: AbortSignal,
  ): Promise<Result<ReadableStream<Uint8Array>>> {
    const answer = await this.#call(path`/api/watch${at}`, { signal, accept: "text/event-stream" });
    if (!answer.ok) return answer;
    return answer.value.body ? success(answer.value.body) : failureOfThrow(null);
  }

  /**
   * A picture made small.
   *
   * @param key changes with the file; the browser keeps what belongs to one
   */
  async thumb(at: EntryPath, key: string, signal: AbortSignal): Promise<Result<Blob>> {
    const call = { query: { k: key }, signal, accept: "image/webp, image/jpeg", cached: true };
    const answer = await this.#call(path`/api/preview/thumb${at}`, call);
    if (!answer.ok) return answer;
    try {
      return success(await answer.value.blob());
    } catch (error) {
      return failureOfThrow(error);
    }
  }

  /** Entries below a folder whose names fit: the answer's body is NDJSON, to be read as it comes. */
  search(at: EntryPath, query: string, signal: AbortSignal): Promise<Result<Response>> {
    const accept = "application/x-ndjson, application/json";
    return this.#call(path`/api/search${at}`, { query: { query }, signal, accept });
  }

  /** A 60 second pass to one path, for addresses that can carry no header. */
  ticket(at: EntryPath, use: "raw" | "command" = "raw"): Promise<Result<string>> {
    return this.#text(path`/api/ticket`, { method: "POST", json: { path: at, use } });
  }

  /** Where commands for a folder are sent: the address of a WebSocket. */
  commandAddress(at: EntryPath, ticket: string): string {
    const address = this.address(path`/api/command${at}`, { auth: ticket });
    return new URL(address, globalThis.location?.href).href.replace(/^http/, "ws");
  }

  /** Why no command can be run in a folder; `invalid_option` when nothing speaks against it. */
  tryCommand(at: EntryPath): Promise<Result<void>> {
    return this.#done(path`/api/command${at}`, {});
  }

  /**
   * The address to download a file, or a folder as an archive of the kind `algo`; `names` picks
   * entries of a folder.
   */
  rawAddress(
    at: EntryPath,
    { names, algo, ticket }: { names?: string[]; algo?: string; ticket?: string } = {},
  ): string {
    const files = names?.map(encodeURIComponent).join(",");
    return this.address(path`/api/raw${at}`, { files, algo, auth: ticket });
  }

  /** The shares of an entry: one's own, or everybody's for administrators. */
  sharesOf(at: EntryPath): Promise<Result<ShareInfo[]>> {
    return this.#json(path`/api/share${at}`, {});
  }

  /** Shares an entry. */
  share(at: EntryPath, draft: ShareDraft): Promise<Result<ShareInfo>> {
    return this.#json(path`/api/share${at}`, { method: "POST", json: draft });
  }

  /** Ends a share. */
  endShare(hash: string): Promise<Result<void>> {
    return this.#done(path`/api/share/${hash}`, { method: "DELETE" });
  }

  /** The addresses of a share, for others: its page, and what is shared itself. */
  shareLinks(hash: string): { page: string; download: string } {
    const base = `${location.origin}${this.#baseUrl}`;
    return { page: `${base}/share/${hash}`, download: `${base}/api/public/dl/${hash}` };
  }

  /** What the server says of a download to a caller who shows the cookie alone. */
  tryDownload(address: string): Promise<Result<void>> {
    const to = address.slice(this.#baseUrl.length) as ApiPath;
    return this.#done(to, { method: "HEAD", anonymous: true });
  }

  /** The address and the headers to upload a file with. */
  uploadTarget(at: EntryPath, override: boolean): { url: string; headers: Record<string, string> } {
    const to = `/api/resources${encodePath(at)}` as ApiPath;
    return { url: this.address(to, { override }), headers: this.#headers({}) };
  }

  /** Changes the named fields of a user's account, and no others. */
  changeUser(id: number, fields: object): Promise<Result<void>> {
    const json = { what: "user", which: Object.keys(fields), data: fields };
    return this.#done(path`/api/users/${id}`, { method: "PUT", json });
  }

  /** Signs in; afterwards the session knows the user. */
  async signIn(credentials: Credentials): Promise<Result<void>> {
    return this.#admit(
      await this.#text(path`/api/login`, { method: "POST", json: credentials, anonymous: true }),
    );
  }

  /** Makes an account. Signing in is a step of its own. */
  signUp(credentials: Credentials): Promise<Result<void>> {
    return this.#done(path`/api/signup`, { method: "POST", json: credentials, anonymous: true });
  }

  /** Ends the session on the server, then here; also when the server can't be reached. */
  async signOut(): Promise<void> {
    await this.#done(path`/api/logout`, { method: "POST" });
    this.#session.end("signed_out");
  }

  /** Trades the token for a new one; calls that run at the same time share one renewal. */
  renew(): Promise<boolean> {
    this.#renewal ??= this.#renewOnce().finally(() => this.#renewal = null);
    return this.#renewal;
  }

  /** Heeds what an answer says of the token; for answers that did not come through this client. */
  heed(answer: { status: number; renewToken: string | null }, sentToken: string | null): void {
    if (answer.renewToken === "true" && sentToken !== null) void this.renew();
    if (answer.status !== 401) return;
    if (sentToken === this.#session.current()) this.#session.end("expired");
  }

  /** Only one tab at a time renews, where the browser has locks; the next finds it done. */
  async #renewOnce(): Promise<boolean> {
    const old = this.#session.current();
    const trade = async () => {
      if (this.#session.current() !== old) return true;
      const renewed = await this.#text(path`/api/renew`, { method: "POST" });
      return (await this.#admit(renewed)).ok;
    };
    const locks = globalThis.navigator?.locks as LockManager | undefined;
    return await (locks ? locks.request("cubby-renew", trade) : trade());
  }

  #admit(token: Result<string>): Result<void> {
    if (!token.ok) return token;
    try {
      this.#session.keep(token.value.trim());
      return success(undefined);
    } catch (error) {
      return { ok: false, status: 200, code: "unknown", message: (error as Error).message };
    }
  }

  async #json<T>(to: ApiPath, call: Call): Promise<Result<T>> {
    const answer = await this.#call(to, call);
    return answer.ok ? await readJson(answer.value) : answer;
  }

  async #text(to: ApiPath, call: Call): Promise<Result<string>> {
    const answer = await this.#call(to, call);
    return answer.ok ? await readText(answer.value) : answer;
  }

  async #done(to: ApiPath, call: Call): Promise<Result<void>> {
    const answer = await this.#text(to, call);
    return answer.ok ? success(undefined) : answer;
  }

  async #call(to: ApiPath, call: Call): Promise<Result<Response>> {
    const token = call.anonymous ? null : this.#session.current();
    const { method = "GET", json, text, signal } = call;
    const body = json === undefined ? text : JSON.stringify(json);
    try {
      const init = {
        method,
        body,
        signal,
        headers: this.#headers(call),
        cache: call.cached ? "default" : "no-store",
      } as const;
      const response = await this.#fetch(this.address(to, call.query), init);
      const { status, headers } = response;
      if (!call.anonymous) this.heed({ status, renewToken: headers.get("x-renew-token") }, token);
      if (response.ok) return success(response);
      return failureOfAnswer(status, await response.text(), headers.get("retry-after"));
    } catch (error) {
      return failureOfThrow(error);
    }
  }

  #headers(call: Call): Record<string, string> {
    const headers: Record<string, string> = { accept: call.accept ?? "application/json" };
    const token = call.anonymous ? null : this.#session.current();
    if (token !== null) headers["x-auth"] = token;
    if (call.json !== undefined) headers["content-type"] = "application/json";
    if (call.version !== undefined) headers["if-match"] = call.version;
    return headers;
  }
}

async function readText(answer: Response): Promise<Result<string>> {
  try {
    return success(await answer.text());
  } catch (error) {
    return failureOfThrow(error);
  }
}

async function readJson<T>(answer: Response): Promise<Result<T>> {
  const text = await readText(answer);
  if (!text.ok) return text;
  try {
    return success(JSON.parse(text.value) as T);
  } catch {
    return { ok: false, status: 200, code: "unknown", message: "The answer is no JSON" };
  }
}
