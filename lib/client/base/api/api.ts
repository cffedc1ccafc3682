import type { EntryPath } from "../../../shared/path.ts";
import type { Resource, Usage } from "../../../shared/schemas/entry.ts";
import type { FolderView, Sorting } from "../../../shared/schemas/view.ts";
import type {
  ArchiveFormat,
  ChecksumName,
  ThumbSide,
} from "../../../shared/schemas/choices/choices.ts";
import type { PasskeyAnswer } from "../../../shared/schemas/passkeys.ts";
import { Calls, type CallsOptions, failureOfThrow, readJson, readText } from "./calls.ts";
import { type Failure, type Result, success } from "../../../shared/result.ts";
import { nameList } from "./api_path.ts";
import type { DeclaredCalls } from "./declared_calls.d.ts";

/** The rows of a folder to read, and their order; see `GET /api/resources/{path}`. */
export interface FolderWindow extends Omit<ResourceQuery, "sort" | "order" | "checksum"> {
  offset: number;
  limit: number;
  sorting?: Sorting;
  signal?: AbortSignal;
}

type ResourceQuery = NonNullable<DeclaredCalls["GET /api/resources/{path}"]["query"]>;

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
  constructor(options: CallsOptions, calls: Calls = new Calls(options)) {
    this.#options = options;
    this.#calls = calls;
  }

  /** The HTTP calls, for API clients that only some pages use. */
  get calls(): Calls {
    return this.#calls;
  }

  /** See {@linkcode Calls.address}. */
  get address(): Calls["address"] {
    return this.#calls.address.bind(this.#calls);
  }

  /** See {@linkcode Calls.addressOf}. */
  get addressOf(): Calls["addressOf"] {
    return this.#calls.addressOf.bind(this.#calls);
  }

  /** A window of a folder's entries, with the counts of the whole folder; or one file. */
  async resource(at: EntryPath, window: FolderWindow): Promise<Result<Resource>> {
    const { sorting, signal, ...rest } = window;
    const sort = sorting?.by;
    const order = sorting && (sorting.asc ? "asc" as const : "desc" as const);
    const query = { ...rest, sort, order };
    const answer = await this.#calls.call("GET /api/resources/{path}", {
      params: { path: at },
      query,
      signal,
    });
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
    const call = { query: { encoding }, text, version } as const;
    const answer = await this.#calls.call("PUT /api/resources/{path}", {
      params: { path: at },
      ...call,
    });
    if (!answer.ok) return answer;
    const said = await readText(answer.value);
    return said.ok ? success(answer.value.headers.get("etag") ?? undefined) : said;
  }

  /** The version of a file that the user may see: that of its {@linkcode Resource}. */
  async version(at: EntryPath): Promise<Result<string | undefined>> {
    const answer = await this.#calls.call("GET /api/resources/{path}", {
      params: { path: at },
      head: true,
    });
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
    return this.#calls.done("POST /api/resources/{path}", {
      params: { path: `${at}/` },
      query: { job },
      signal,
    });
  }

  /** Creates a file, empty by default; an existing entry is left as it is (409). */
  makeFile(at: EntryPath, body?: Blob): Promise<Result<void>> {
    return this.#calls.done("POST /api/resources/{path}", { params: { path: at }, body });
  }

  /** Deletes an entry for good. */
  remove(at: EntryPath): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/resources/{path}", {
      params: { path: at },
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
    const answer = await this.#calls.json("GET /api/resources/{path}", {
      params: { path: at },
      ...call,
    });
    return answer.ok ? success(answer.value.checksums?.[checksum] ?? "") : answer;
  }

  /** The usage of the disk that holds a path. */
  usage(at: EntryPath, signal?: AbortSignal): Promise<Result<Usage>> {
    return this.#calls.json("GET /api/usage/{path}", { params: { path: at }, signal });
  }

  /** Remembers how the user looks at a folder. */
  putView(at: EntryPath, view: FolderView): Promise<Result<void>> {
    return this.#calls.done("PUT /api/views/{path}", {
      params: { path: at },
      json: view,
      outlives: true,
    });
  }

  /** Forgets how the user looks at all folders. */
  clearViews(): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/views/{path}", {
      params: { path: "/" },
      query: { all: true },
    });
  }

  /** The event stream of a folder; open until the signal aborts. */
  async watch(
    at: EntryPath,
    signal: AbortSignal,
  ): Promise<Result<ReadableStream<Uint8Array>>> {
    const answer = await this.#calls.call("GET /api/watch/{path}", {
      params: { path: at },
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
   * @param whole the whole picture with that height, rather than a square
   */
  async thumb(
    at: EntryPath,
    side: ThumbSide,
    key: string,
    signal: AbortSignal,
    whole = false,
  ): Promise<Result<Blob | null>> {
    const call = {
      query: { side, k: key, optional: true, whole: whole || undefined },
      signal,
      accept: "image/webp, image/jpeg",
      cached: true,
    };
    const answer = await this.#calls.call("GET /api/preview/{size}/{path}", {
      params: { size: "thumb", path: at },
      ...call,
    });
    if (!answer.ok) return answer;
    try {
      return success(answer.value.status === 204 ? null : await answer.value.blob());
    } catch (error) {
      return failureOfThrow(error);
    }
  }

  /**
   * Entries below a folder whose names match, with details, and where `elsewhere` is true, those of
   * other folders after them; with `media`, pictures tell when they were taken: the body is NDJSON, to be streamed.
   */
  search(
    at: EntryPath,
    query: string,
    signal: AbortSignal,
    { contents = false, elsewhere = false, media = false } = {},
  ): Promise<Result<Response>> {
    const accept = "application/x-ndjson, application/json";
    return this.#calls.call("GET /api/search/{path}", {
      params: { path: at },
      query: {
        query,
        details: true,
        contents: contents || undefined,
        elsewhere: elsewhere || undefined,
        media: media || undefined,
      },
      signal,
      accept,
    });
  }

  /** A ticket of 60 seconds for one path, for addresses that can carry no header. */
  ticket(at: EntryPath, use: "raw" | "command" = "raw"): Promise<Result<string>> {
    return this.#calls.text("POST /api/ticket", { json: { path: at, use } });
  }

  /**
   * The address to download a file, or a folder as an archive of the kind `algo`; `names` picks
   * entries of a folder.
   */
  rawAddress(
    at: EntryPath,
    { names, algo, ticket }: { names?: string[]; algo?: ArchiveFormat; ticket?: string } = {},
  ): string {
    const files = names && nameList(names);
    return this.addressOf("GET /api/raw/{path}", {
      params: { path: at },
      query: { files, algo, auth: ticket },
    });
  }

  /** Checks by HEAD whether a download works with the cookie alone. */
  async tryDownload(address: string): Promise<Result<void>> {
    const call = { method: "HEAD", anonymous: true } as const;
    const answer = await this.#calls.request(this.#calls.pathOf(address), call);
    return answer.ok ? success(undefined) : answer;
  }

  /** See {@linkcode Calls.recover}. */
  recover(failure: Failure, signal?: AbortSignal): Promise<boolean> {
    return this.#calls.recover(failure, signal);
  }

  /** Changes the named fields of a user's account, and no others. */
  changeUser(id: number, fields: object): Promise<Result<void>> {
    const json = { what: "user" as const, which: Object.keys(fields), data: fields };
    return this.#calls.done("PUT /api/users/{id}", { params: { id }, json, outlives: true });
  }

  /** Signs in; afterwards the session knows the user. */
  signIn(credentials: Credentials): Promise<Result<void>> {
    return this.#enter("POST /api/login", credentials);
  }

  /** Creates an account, and signs in with it. */
  signUp(credentials: Credentials): Promise<Result<void>> {
    return this.#enter("POST /api/signup", credentials);
  }

  /** Ends the session on the server, then here, even if the server can't be reached. */
  async signOut(): Promise<void> {
    await this.#calls.signOut();
    this.#options.session.end("signed_out");
  }

  async #enter(
    door: "POST /api/login" | "POST /api/signup",
    credentials: Credentials,
  ): Promise<Result<void>> {
    const call = { json: credentials, anonymous: true } as const;
    return this.#calls.admit(await this.#calls.text(door, call));
  }
}
