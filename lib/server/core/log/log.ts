/** One request in the log. */
export interface LoggedRequest {
  status: number;
  /** From the arrival of the request to the end of the response's headers. */
  ms: number;
  method: string;
  /** The path as sent, without the query: queries contain tickets and tokens. */
  path: string;
  /** The user name; absent before the sign-in check. */
  user?: string;
  /** The client's address. */
  address: string;
}

/** The server's log, one line for each event. */
export interface Log {
  /** Logs a request; written in a batch within a tenth of a second. */
  request(request: LoggedRequest): void;
  /**
   * Writes a sentence at once; control characters in it are escaped.
   *
   * @param level as which JSON tells it; `info` unless given
   */
  line(text: string, level?: LogLevel): void;
  /** Flushes the buffer. Later lines are written at once. */
  close(): void;
}

/** The part of `Deno.stdout` that a log needs. */
export interface LogSink {
  write(bytes: Uint8Array): Promise<number>;
  writeSync(bytes: Uint8Array): number;
}

/** How long a request line is buffered. */
const gatherMs = 100;
/** Writes to a pipe are atomic up to this size (PIPE_BUF), so that lines of threads never mix. */
const pieceBytes = 4096;
/** Request lines beyond this backlog are dropped when the log's reader is too slow. */
const backlogLimit = 50_000;

// deno-lint-ignore no-control-regex -- the first of the ASCII characters is a control character.
const isAscii = /^[\x00-\x7f]*$/;

/**
 * Opens a log. Lines are buffered and written in batches: one write for each request would cost
 * more than most requests.
 *
 * @param format lines for people unless given
 * @param sink standard output unless given
 */
export function openLog(format: LogFormat = "text", sink: LogSink = Deno.stdout): Log {
  const encoder = new TextEncoder();
  /** Whole lines. */
  const waiting: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing = false;
  let closed = false;
  let dropped = 0;

  function add(line: string): void {
    waiting.push(line + "\n");
    if (closed) return flushNow();
    timer ??= setTimeout(flush, gatherMs);
  }

  async function flush(): Promise<void> {
    timer = undefined;
    if (writing) return;
    writing = true;
    try {
      while (waiting.length > 0 && !closed) await writeWhole(nextPiece());
    } catch {
      // The reader of the output is gone (EPIPE). The server continues without a log.
      waiting.length = 0;
    } finally {
      writing = false;
    }
  }

  async function writeWhole(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) done += await sink.write(bytes.subarray(done));
  }

  function flushNow(): void {
    try {
      while (waiting.length > 0) {
        const bytes = nextPiece();
        for (let done = 0; done < bytes.length;) done += sink.writeSync(bytes.subarray(done));
      }
    } catch {
      waiting.length = 0;
    }
  }

  /** The next batch of whole lines, at least one. */
  function nextPiece(): Uint8Array {
    let count = 0;
    let length = 0;
    for (const line of waiting) {
      length += isAscii.test(line) ? line.length : encoder.encode(line).length;
      if (count > 0 && length > pieceBytes) break;
      count++;
    }
    return encoder.encode(waiting.splice(0, count).join(""));
  }

  function sentence(message: string, level: LogLevel = "info"): string {
    return format === "json" ? jsonLine(new Date(), level, { message }) : escapeControls(message);
  }

  return {
    request(request) {
      if (waiting.length >= backlogLimit) return void dropped++;
      if (dropped > 0) {
        add(sentence(`${dropped} lines lost: the log's reader is too slow`, "error"));
      }
      dropped = 0;
      add((format === "json" ? requestObject : requestLine)(request, new Date()));
    },
    line(text, level) {
      add(sentence(text, level));
      if (!writing) flushNow();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      flushNow();
    },
  };
}

/**
 * The line of one request: `2026-01-31T12:00:00.000Z 200 1.2ms GET /api/usage/ alice 127.0.0.1`.
 */
export function requestLine(request: LoggedRequest, time: Date): string {
  const { status, ms, method, path, user, address } = request;
  const who = user === undefined ? "-" : quoteUnlessPlain(user);
  return `${time.toISOString()} ${status} ${ms.toFixed(1)}ms ${quoteUnlessPlain(method)} ` +
    `${quoteUnlessPlain(hideCapabilities(path))} ${who} ${quoteUnlessPlain(address)}`;
}

/** The same as a JSON object; `user` is left out without a sign-in. */
export function requestObject(request: LoggedRequest, time: Date): string {
  const { status, ms, method, path, user, address } = request;
  const rounded = Math.round(ms * 10) / 10;
  const fields = { status, ms: rounded, method, path: hideCapabilities(path), user, address };
  return jsonLine(time, status >= 500 ? "error" : "info", { event: "request", ...fields });
}

/**
 * The hash of a share is a capability, so the log keeps only its first four characters: enough to
 * tell shares apart.
 */
function hideCapabilities(path: string): string {
  if (/\/api\/(?!public\/)/.test(path)) return path;
  return path.replace(/(\/(?:share|dl)\/[\w-]{4})[\w-]{12,}/, "$1*");
}

/** Plain words are kept; anything else is quoted, so that a space cannot shift a column. */
function quoteUnlessPlain(text: string): string {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text) && text !== "-"
    ? text
    : escapeControls(JSON.stringify(text));
}

/** The form of the log: lines for people, or a JSON object a line. */
export type LogFormat = "text" | "json";

/** How grave an event is. */
type LogLevel = "info" | "error";

/**
 * The line of an event, a JSON object. Signs that could begin a line or drive a terminal are
 * escaped in it, also those that JSON allows as they are; its readers get them back.
 *
 * @param fields further ones; those that are undefined are left out
 */
export function jsonLine(
  time: Date,
  level: LogLevel,
  fields: Readonly<Record<string, string | number | undefined>>,
): string {
  return escapeControls(JSON.stringify({ time: time.toISOString(), level, ...fields }));
}

/**
 * Prevents log forging: a line break, a terminal's escape sequence or a bidi control in a name
 * becomes `\u000a`, so that untrusted text cannot pass for a log line.
 */
export function escapeControls(text: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex
    /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Makes `console.error` and `console.warn` of this thread print errors in the format of
 * `errorLines` or, for JSON, of `errorObject`, as the message of an error can contain an untrusted
 * name.
 */
export function formatErrors(format: LogFormat): void {
  const print = console.error;
  const lines = format === "json" ? errorObject : errorLines;
  console.error = (...values) => print(lines(values, new Date()));
  console.warn = console.error;
}

/**
 * The text of an error in the log: the time, then the message; further lines are indented, so that
 * none looks like a log entry.
 */
export function errorLines(values: unknown[], time: Date): string {
  const [first = "", ...rest] = textOf(values).split("\n").map(escapeControls);
  return [`${time.toISOString()} ${first}`, ...rest.map((line) => `    ${line}`)].join("\n");
}

/** The text of an error as a JSON object in one line: what follows its first line is its `stack`. */
export function errorObject(values: unknown[], time: Date): string {
  const [message = "", ...rest] = textOf(values).split("\n");
  const stack = rest.length === 0 ? undefined : rest.join("\n");
  return jsonLine(time, "error", { message, stack });
}

function textOf(values: unknown[]): string {
  return values.map((value) => typeof value === "string" ? value : Deno.inspect(value)).join(" ");
}
