import {
  type Failure,
  failure,
  type FailureCode,
  type Result,
  success,
} from "../../../shared/result.ts";
import { type ApiPath, type CallName, type ParamsOf, pathWith } from "./api_path.ts";
import { type Connection, isAway } from "./connection.ts";
import { delay } from "../../../shared/delay.ts";
import type { Session } from "../session/session.ts";
import type { DeclaredCalls } from "./declared_calls.d.ts";
import type { ErrorBody } from "../../../shared/schemas/session.ts";

/** The query of a call; undefined members are left out. */
export type Query = Record<string, string | number | boolean | undefined>;

/** A function that sends a request as `fetch` does. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** The parameters of a call. */
export interface Call {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Query;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as plain text. */
  text?: string;
  /** Sent as it is. */
  body?: Blob;
  /** Further headers. */
  headers?: Record<string, string>;
  /** Sends the request in place of `fetch`. */
  fetch?: Fetch;
  /** The ETag of the version that the call concerns; the answer for another one is 412. */
  version?: string;
  signal?: AbortSignal;
  /** The `Accept` header; JSON by default. */
  accept?: string;
  /** The `Prefer` header: whether and how long the answer may wait. */
  prefer?: string;
  /** The browser may take the answer from its cache. */
  cached?: boolean;
  /** Goes on when the page is left; for bodies of up to 64 KiB. */
  outlives?: boolean;
  /**
   * Sent without the token. `X-Auth` then holds no token, but shows the server that the call is our
   * own page's, also behind a proxy that replaces the Host header: no other site may set it.
   */
  anonymous?: boolean;
  /**
   * A link lets the caller in, too: 401 is about its password, and ends no session. Without one the
   * call is sent as an `anonymous` one.
   */
  byLink?: boolean;
  /** Sent with the cookie in place of the token: for the renewal alone. */
  byCookie?: boolean;
  /** Fails when the session has expired, instead of waiting for a new sign-in. */
  final?: boolean;
}

/** A call whose answer is JSON. */
export type JsonName = {
  [Name in CallName]: DeclaredCalls[Name]["answer"] extends never ? never : Name;
}[CallName];

/** The parameters of a declared call. */
export type DeclaredCall<Name extends CallName> =
  & Omit<Call, "method" | "query" | "json">
  & Pick<DeclaredCalls[Name], "query" | "json">
  & Params<Name>
  & {
    /** Asks for the headers of a GET alone, by HEAD. */
    head?: true;
  };

/** The parameters in the path of a call. */
type Params<Name extends CallName> = unknown extends ParamsOf<Name> ? { params?: never }
  : { params: ParamsOf<Name> };

interface AnyParams {
  params?: Record<string, string | number>;
}

/** The last parameter of a call, which may be left out where all of it may be. */
export type Given<Options> = Record<never, never> extends Options ? [options?: Options]
  : [options: Options];

/** The dependencies of the calls. */
export interface CallsOptions {
  /** "" or "/base", without a trailing slash. */
  baseUrl: string;
  session: Session;
  fetch?: Fetch;
  /** Is notified whether the server responds. */
  connection?: Connection;
  /** The page can sign its user in again: calls wait for it and are then retried. */
  resumes?: boolean;
}

/**
 * Makes HTTP calls. The token is sent in `X-Auth`. When the server requests a renewal, concurrent
 * calls share one; on 401 the session is marked as expired.
 */
export class Calls {
  readonly #options: CallsOptions;
  readonly #leaving = new AbortController();
  #renewal: Promise<boolean> | null = null;

  /** @param options the dependencies of the calls */
  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** The URL of a call, base and query included. */
  address(to: ApiPath, query: Query = {}): string {
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) search.set(key, String(value));
    }
    const mark = to.includes("?") ? "&" : "?";
    return `${this.#options.baseUrl}${to}${search.size > 0 ? `${mark}${search}` : ""}`;
  }

  /** The path of a URL below the base. */
  pathOf(address: string): ApiPath {
    return address.slice(this.#options.baseUrl.length) as ApiPath;
  }

  /**
   * Waits until the cause of a failure is over: the user has signed in again, the server is back,
   * the rate limit or the lack of memory has passed. False at once for permanent failures.
   */
  async recover({ status, code, retryAfter }: Failure, signal?: AbortSignal): Promise<boolean> {
    if (status === 401) {
      return this.#options.resumes === true && await this.#options.session.resumed(signal);
    }
    if (status === 429 || code === "busy") await delay((retryAfter ?? 1) * 1000, signal);
    else if (!isAway(status) || !this.#options.connection) return false;
    else await this.#options.connection.back(signal);
    return !signal?.aborted;
  }

  /**
   * Ends the session on the server, and gives up whatever else the page still asks for: it would be
   * refused.
   */
  async signOut(): Promise<void> {
    this.#leaving.abort();
    await this.done("POST /api/logout", { final: true });
  }

  /** Renews the token; concurrent calls share one renewal. */
  renew(): Promise<boolean> {
    this.#renewal ??= this.#renewOnce().finally(() => this.#renewal = null);
    return this.#renewal;
  }

  /** Updates session and connection from a response: renews the token, or ends the session. */
  #observe({ status, headers }: Response, sentToken: string | null): void {
    this.#options.connection?.observeStatus(status);
    if (headers.get("x-renew-token") === "true" && sentToken !== null) void this.renew();
    if (status !== 401) return;
    if (sentToken === this.#options.session.current()) this.#options.session.end("expired");
  }

  /**
   * Renews by the cookie, which all tabs share: the former token then ends soon. One tab at a time
   * renews, if the browser has the Web Locks API; the next finds it done.
   */
  async #renewOnce(): Promise<boolean> {
    const old = this.#options.session.current();
    const trade = async () => {
      if (this.#options.session.current() !== old) return true;
      const renewed = await this.text("POST /api/renew", { final: true, byCookie: true });
      return (await this.admit(renewed)).ok;
    };
    const locks = globalThis.navigator?.locks as LockManager | undefined;
    return await (locks ? locks.request("cubby-renew", trade) : trade());
  }

  /** Adopts the token of a response. */
  admit(token: Result<string>): Result<void> {
    if (!token.ok) return token;
    try {
      this.#options.session.keep(token.value.trim());
      return success(undefined);
    } catch (error) {
      return { ok: false, status: 200, code: "unknown", message: (error as Error).message };
    }
  }

  /** A call answered in JSON. */
  async json<Name extends JsonName>(
    name: Name,
    ...given: Given<DeclaredCall<Name>>
  ): Promise<Result<DeclaredCalls[Name]["answer"]>> {
    const answer = await this.call(name, ...given);
    return answer.ok ? await readJson(answer.value) : answer;
  }

  /** A call answered in text. */
  async text<Name extends CallName>(
    name: Name,
    ...given: Given<DeclaredCall<Name>>
  ): Promise<Result<string>> {
    const answer = await this.call(name, ...given);
    return answer.ok ? await readText(answer.value) : answer;
  }

  /** A call whose response body is ignored. */
  async done<Name extends CallName>(
    name: Name,
    ...given: Given<DeclaredCall<Name>>
  ): Promise<Result<void>> {
    const answer = await this.text(name, ...given);
    return answer.ok ? success(undefined) : answer;
  }

  /** A call whose response body is not read yet. */
  call<Name extends CallName>(
    name: Name,
    ...[options]: Given<DeclaredCall<Name>>
  ): Promise<Result<Response>> {
    const { params, head, ...call } = (options ?? {}) as Omit<Call, "method"> & AnyParams & {
      head?: true;
    };
    const method = head ? "HEAD" : name.slice(0, name.indexOf(" ")) as Call["method"];
    const place = this.locate(name, params, call.query);
    if (!place) return Promise.resolve(failure(403, "forbidden", "The page makes no such call"));
    const { to, ...located } = place;
    return this.request(to, { ...call, ...located, method });
  }

  /** Where a call is made, and with which query; null for one that this page does not make. */
  protected locate(
    name: CallName,
    params?: Record<string, string | number>,
    query?: Query,
  ): { to: ApiPath; query?: Query | undefined; byLink?: true } | null {
    return { to: pathWith(name, params), query };
  }

  /** The URL of a call by GET, for links and media. @param query.k changes whenever the file does */
  addressOf<Name extends CallName & `GET ${string}`>(
    name: Name,
    ...[options]: Given<
      & { query?: DeclaredCalls[Name]["query"] & { k?: string } }
      & Params<Name>
    >
  ): string {
    const { params, query } = (options ?? {}) as { query?: Query } & AnyParams;
    const place = this.locate(name, params, query);
    return place ? this.address(place.to, place.query) : "";
  }

  /** A call to an address that the server has named. */
  async request(to: ApiPath, call: Call): Promise<Result<Response>> {
    const token = call.anonymous ? null : this.#options.session.current();
    const { method = "GET", json, text } = call;
    const body = json === undefined ? call.body ?? text : JSON.stringify(json);
    try {
      const init = {
        method,
        body,
        signal: this.#signalOf(call),
        headers: this.#headers(call),
        cache: call.cached ? "default" : "no-store",
        keepalive: call.outlives ?? false,
      } as const;
      const address = this.address(to, call.query);
      const response = await (call.fetch ?? this.#options.fetch ?? fetch)(address, init);
      const { status, headers } = response;
      const isOfLink = call.byLink && status === 401;
      if (!call.anonymous && !isOfLink) this.#observe(response, token);
      if (response.ok) return success(response);
      const why = failureOfAnswer(status, await response.text(), headers.get("retry-after"));
      const isRepeated = status === 401 && await this.#mayRepeat(call);
      return isRepeated ? await this.request(to, call) : why;
    } catch (error) {
      const why = failureOfThrow(error);
      if (why.code === "offline") this.#options.connection?.observeStatus(0);
      return why;
    }
  }

  #signalOf({ signal, final, outlives }: Call): AbortSignal | undefined {
    if (final || outlives) return signal;
    return signal ? AbortSignal.any([signal, this.#leaving.signal]) : this.#leaving.signal;
  }

  /** Waits for the user to sign in again; true when the refused call can be retried. */
  async #mayRepeat({ anonymous, byLink, final, signal }: Call): Promise<boolean> {
    if (anonymous || byLink || final || !this.#options.resumes) return false;
    return await this.#options.session.resumed(signal);
  }

  #headers(call: Call): Record<string, string> {
    const headers: Record<string, string> = { accept: call.accept ?? "application/json" };
    const { anonymous, method = "GET" } = call;
    const token = anonymous ? null : this.#options.session.current();
    const isChange = method !== "GET" && method !== "HEAD";
    const isOpen = anonymous || (call.byLink && token === null);
    if (call.byCookie || (isOpen && isChange)) headers["x-auth"] = "cookie";
    else if (token !== null) headers["x-auth"] = token;
    if (call.json !== undefined) headers["content-type"] = "application/json";
    if (call.version !== undefined) headers["if-match"] = call.version;
    if (call.prefer !== undefined) headers.prefer = call.prefer;
    return { ...headers, ...call.headers };
  }
}

/** The text of an answer. */
export async function readText(answer: Response): Promise<Result<string>> {
  try {
    return success(await answer.text());
  } catch (error) {
    return failureOfThrow(error);
  }
}

/** The value of an answer in JSON. */
export async function readJson<T>(answer: Response): Promise<Result<T>> {
  const text = await readText(answer);
  if (!text.ok) return text;
  try {
    return success(JSON.parse(text.value) as T);
  } catch {
    return { ok: false, status: 200, code: "unknown", message: "The answer is no JSON" };
  }
}

/**
 * The failure of a call without an answer: it was aborted, its file cannot be read, or the server
 * could not be reached.
 */
export function failureOfThrow(error: unknown): Failure {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "AbortError") return failure(0, "aborted", "The call was given up");
  return name === "NotReadableError"
    ? failure(0, "unreadable", "The file can't be read any more")
    : failure(0, "offline", "The server can't be reached");
}

/**
 * Reads an unsuccessful answer: `{code, message}`, or a sentence of a proxy.
 *
 * @param retryAfter the `Retry-After` header, in seconds or as a date (RFC 9110 section 10.2.3)
 */
export function failureOfAnswer(status: number, body: string, retryAfter: string | null): Failure {
  const read = failure(status, codeOf(status), body.trim().slice(0, 300));
  try {
    const { code, message, factors } = JSON.parse(body) as Partial<ErrorBody>;
    if (typeof code === "string") read.code = code as FailureCode;
    if (typeof message === "string") read.message = message;
    if (Array.isArray(factors)) read.factors = factors;
  } catch {
    // Not JSON: the text itself is the message.
  }
  const seconds = secondsOf(retryAfter);
  if (seconds !== undefined) read.retryAfter = seconds;
  return read;
}

const CODES: Record<number, FailureCode> = {
  401: "not_signed_in",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  409: "exists",
  412: "precondition_failed",
  413: "body_too_large",
  429: "throttled",
  500: "internal",
  501: "not_supported",
  507: "disk_full",
};

/** The error code of a status, for responses without a body: HEAD, and proxies. */
function codeOf(status: number): FailureCode {
  return CODES[status] ?? "unknown";
}

function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null || retryAfter === "") return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const until = Date.parse(retryAfter) - Date.now();
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil(until / 1000));
}
