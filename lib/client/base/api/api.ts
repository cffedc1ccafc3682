import type { EntryPath } from "../../../shared/path.ts";
import type {
  ChecksumName,
  FolderView,
  Grouping,
  Resource,
  Sorting,
  ThumbSide,
  Usage,
} from "../../../shared/api_types.ts";
import type { PasskeyAnswer } from "../../../shared/schemas/passkeys.ts";
import { failureOfThrow } from "./answer.ts";
import { type Failure, type Result, success } from "../../../shared/result.ts";
import { type ApiPath, nameList, path } from "./api_path.ts";
import { Calls, type CallsOptions, type Query, readJson, readText } from "./calls.ts";

/** The rows of a folder to read, and their order. */
export interface FolderWindow {
  offset: number;
  limit: number;
  sorting?: Sorting | undefined;
  groupBy?: Grouping | undefined;
  /** Adds how the user looks at the folder, which gives the order where none is said. */
  view?: boolean;
  /** The name of an entry: reads the window of `limit` rows that contains it. */
  around?: string;
  /** The beginning of a name: reads the window with the next such entry from `offset` on. */
  startsWith?: string;
  /** Words that must all be in the names; all entries when left out or "". */
  filter?: string;
  signal?: AbortSignal;
}

/** A name and a password as typed. */
export interface Credentials {
  username: string;
  password: string;
  /** The response token of the captcha, if there is one. */
  recaptcha?: string;
  /** A code of the second factor, if there is one. */
  code?: string;
  /** The signed answer of a passkey, in place of a code. */
  passkey?: PasskeyAnswer;
}

/**
 * The one client of the server's calls. Nothing here throws because of the network or the server:
 * each call resolves to a {@linkcode Result}.
 */
export class Api {
  readonly #options: CallsOptions;
  readonly #calls: Calls;

  /** @param options the dependencies of the calls */
  constructor(options: CallsOptions) {
    this.#options = options;
    this.#calls = new Calls(options);
  }

  /** The HTTP calls, for API clients that only some pages use. */
  get calls(): Calls {
    return this.#calls;
  }

  /** The URL of a call, base and query included. */
  address(to: ApiPath, query: Query = {}): string {
    return this.#calls.address(to, query);
  }

  /** A window of a folder's entries, with the counts of the whole folder; or one file. */
  async resource(at: EntryPath, window: FolderWindow): Promise<Result<Resource>> {
    const { sorting, signal, ...rest } = window;
    const sort = sorting?.by;
    const order = sorting && (sorting.asc ? "asc" : "desc");
    const query = { ...rest, sort, order };
    const answer = await this.#calls.call(path`/api/resources${at}`, { query, signal });
    if (!answer.ok) return answer;
    const version = answer.value.headers.get("etag");
    const read = await readJson<Resource>(answer.value);
    if (read.ok && version !== null) read.value.version = version;
    return read;
  }

  /**
   * Saves the text of an existing file; returns its new version.
   *
   * @param options.encoding as in the file's description
   * @param options.version the version to replace; any other version is refused (412)
   */
  async saveText(
    at: EntryPath,
    text: string,
    { encoding, version }: { encoding?: string; version?: string },
  ): Promise<Result<string | undefined>> {
    const call = { method: "PUT", query: { encoding }, text, version } as const;
    const answer = await this.#calls.call(path`/api/resources${at}`, call);
    if (!answer.ok) return answer;
    const said = await readText(answer.value);
    return said.ok ? success(answer.value.headers.get("etag") ?? undefined) : said;
  }

  /** The version of a file that the user may see: that of its {@linkcode Resource}. */
  async version(at: EntryPath): Promise<Result<string | undefined>> {
    const answer = await this.#calls.call(path`/api/resources${at}`, { method: "HEAD" });
    return answer.ok ? success(answer.value.headers.get("etag") ?? undefined) : answer;
  }

  /** Whether an entry exists that the user may see. */
  async exists(at: EntryPath): Promise<Result<boolean>> {
    const answer = await this.version(at);
    if (answer.ok) return success(true);
    return answer.status === 404 ? success(false) : answer;
  }

  /** Creates a folder and its parents; succeeds if it exists already. */
  makeFolder(
    at: EntryPath,
    { job, signal }: { job?: string; signal?: AbortSignal } = {},
  ): Promise<Result<void>> {
    return this.#calls.done(path`/api/resources${at}/`, { method: "POST", query: { job }, signal });
  }

  /** Creates an empty file; an existing entry is left as it is (409). */
  makeFile(at: EntryPath): Promise<Result<void>> {
    return this.#calls.done(path`/api/resources${at}`, { method: "POST" });
  }

  /** Deletes an entry for good. */
  remove(at: EntryPath): Promise<Result<void>> {
    return this.#calls.done(path`/api/resources${at}`, {
      method: "DELETE",
      query: { trash: false },
    });
  }

  /** The digest of a file, in hexadecimal; aborting stops the server's work on it. */
  async checksum(
    at: EntryPath,
    checksum: ChecksumName,
    signal?: AbortSignal,
  ): Promise<Result<string>> {
    const call = { query: { checksum }, signal };
    const answer = await this.#calls.json<Resource>(path`/api/resources${at}`, call);
    return answer.ok ? success(answer.value.checksums?.[checksum] ?? "") : answer;
  }

  /** The usage of the disk that holds a path. */
  usage(at: EntryPath, signal?: AbortSignal): Promise<Result<Usage>> {
    return this.#calls.json(path`/api/usage${at}`, { signal });
  }

  /** Remembers how the user looks at a folder. */
  putView(at: EntryPath, view: FolderView): Promise<Result<void>> {
    return this.#calls.done(path`/api/views${at}`, { method: "PUT", json: view, outlives: true });
  }

  /** Forgets how the user looks at all folders. */
  clearViews(): Promise<Result<void>> {
    return this.#calls.done(path`/api/views/`, { method: "DELETE", query: { all: true } });
  }

  /** The event stream of a folder; open until the signal aborts. */
  async watch(
    at: EntryPath,
    signal: AbortSignal,
  ): Promise<Result<ReadableStream<Uint8Array>>> {
    const answer = await this.#calls.call(path`/api/watch${at}`, {
      signal,
      accept: "text/event-stream",
    });
    if (!answer.ok) return answer;
    return answer.value.body ? success(answer.value.body) : failureOfThrow(null);
  }

  /**
   * A thumbnail; null where there is none.
   *
   * @param side its side, in pixels
   * @param key changes with the file, so that the browser can cache the thumbnail
   */
  async thumb(
    at: EntryPath,
    side: ThumbSide,
    key: string,
    signal: AbortSignal,
  ): Promise<Result<Blob | null>> {
    const call = {
      query: { side, k: key, optional: true },
      signal,
      accept: "image/webp, image/jpeg",
      cached: true,
    };
    const answer = await this.#calls.call(path`/api/preview/thumb${at}`, call);
    if (!answer.ok) return answer;
    try {
      return success(answer.value.status === 204 ? null : await answer.value.blob());
    } catch (error) {
      return failureOfThrow(error);
    }
  }

  /** Entries below a folder whose names match, with details: the body is NDJSON, to be streamed. */
  search(
    at: EntryPath,
    query: string,
    signal: AbortSignal,
    contents = false,
  ): Promise<Result<Response>> {
    const accept = "application/x-ndjson, application/json";
    return this.#calls.call(path`/api/search${at}`, {
      query: { query, details: true, contents: contents || undefined },
      signal,
      accept,
    });
  }

  /** A ticket of 60 seconds for one path, for addresses that can carry no header. */
  ticket(at: EntryPath, use: "raw" | "command" = "raw"): Promise<Result<string>> {
    return this.#calls.text(path`/api/ticket`, { method: "POST", json: { path: at, use } });
  }

  /**
   * The address to download a file, or a folder as an archive of the kind `algo`; `names` picks
   * entries of a folder.
   */
  rawAddress(
    at: EntryPath,
    { names, algo, ticket }: { names?: string[]; algo?: string; ticket?: string } = {},
  ): string {
    const files = names && nameList(names);
    return this.address(path`/api/raw${at}`, { files, algo, auth: ticket });
  }

  /** Checks by HEAD whether a download works with the cookie alone. */
  tryDownload(address: string): Promise<Result<void>> {
    return this.#calls.done(this.#calls.pathOf(address), { method: "HEAD", anonymous: true });
  }

  /** See {@linkcode Calls.recover}. */
  recover(failure: Failure, signal?: AbortSignal): Promise<boolean> {
    return this.#calls.recover(failure, signal);
  }

  /** Changes the named fields of a user's account, and no others. */
  changeUser(id: number, fields: object): Promise<Result<void>> {
    const json = { what: "user", which: Object.keys(fields), data: fields };
    return this.#calls.done(path`/api/users/${id}`, { method: "PUT", json, outlives: true });
  }

  /** Signs in; afterwards the session knows the user. */
  signIn(credentials: Credentials): Promise<Result<void>> {
    return this.#enter(path`/api/login`, credentials);
  }

  /** Creates an account, and signs in with it. */
  signUp(credentials: Credentials): Promise<Result<void>> {
    return this.#enter(path`/api/signup`, credentials);
  }

  /** Ends the session on the server, then here, even if the server can't be reached. */
  async signOut(): Promise<void> {
    await this.#calls.done(path`/api/logout`, { method: "POST", final: true });
    this.#options.session.end("signed_out");
  }

  async #enter(door: ApiPath, credentials: Credentials): Promise<Result<void>> {
    const call = { method: "POST", json: credentials, anonymous: true } as const;
    return this.#calls.admit(await this.#calls.text(door, call));
  }
}
