/** Clients that hold connections open, each in a bad way of its own. */
import type { ConnectionLimits } from "../../../lib/server/boot/connection_limits.ts";
import type { Bounds } from "../probes/launch_bounded.ts";
import { requestHead } from "./raw_http.ts";
import { type RunningServer, type ServerOptions, startServer } from "../server/server.ts";

const tlsFolder = new URL("../data/tls/", import.meta.url).pathname;
/** The certificate of servers that are {@linkcode secure}. */
export const certificate = `${tlsFolder}certificate.pem`;
/** Flags that have a server speak TLS. */
export const secure = ["--cert", certificate, "--key", `${tlsFolder}key.pem`];

/** Starts the real server with bounds of the test's own. */
export function startBounded(bounds: Bounds, options: ServerOptions = {}): Promise<RunningServer> {
  const command = ["run", "-A", "--cached-only", "tests/support/probes/launch_bounded.ts"];
  return startServer({ command: [...command, JSON.stringify(bounds)], ...options });
}

/** Short times, for tests that wait until they are over. */
export const shortLimits = { headersMs: 600, idleMs: 1000 } satisfies Partial<ConnectionLimits>;

/** What a connection sends before it falls silent. */
export const silences = {
  "nothing at all": "",
  "half a request": "GET / HTTP/1.1\r\nho",
  "a request, and stays": requestHead("GET", "/"),
  "a request, and the half of another": requestHead("GET", "/") + "GET / HT",
  "a request without its body": requestHead("POST", "/", { "content-length": 1000 }) + "x",
  "a request of HTTP/2, and answers no ping": silentHttp2(),
} as const;

/** The preface of HTTP/2, empty settings, and one GET in a frame of headers. */
function silentHttp2(): string {
  const settings = "\0\0\0\x04\0\0\0\0\0";
  // Method, scheme and path of HPACK's static table; the authority "x".
  const fields = "\x82\x86\x84\x41\x01x";
  const headers = `\0\0${String.fromCharCode(fields.length)}\x01\x05\0\0\0\x01${fields}`;
  return `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${settings}${headers}`;
}

/** A connection, and when it ends. */
export interface Held extends Disposable {
  send(text: string): Promise<void>;
  /** Milliseconds from before connecting until the server has closed it. */
  closed: Promise<number>;
  isClosed(): boolean;
}

/** Connects, sends something, and holds the connection until the server closes it. */
export async function hold(to: string, text = ""): Promise<Held> {
  const { hostname, port } = new URL(to);
  // Before the server can have begun to measure.
  const start = performance.now();
  const connection = await Deno.connect({ hostname, port: Number(port) });
  let isClosed = false;
  const send = async (text: string) => {
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    await connection.write(bytes);
  };
  async function readToEnd(): Promise<number> {
    const chunk = new Uint8Array(4096);
    while (await connection.read(chunk).catch(() => null) !== null);
    isClosed = true;
    return performance.now() - start;
  }
  await send(text).catch(() => {});
  return {
    send,
    closed: readToEnd(),
    isClosed: () => isClosed,
    [Symbol.dispose]: () => connection.close(),
  };
}

/** Holds that many connections. */
export async function flood(to: string, count: number, text = ""): Promise<DisposableStack> {
  const stack = new DisposableStack();
  for (let done = 0; done < count; done++) stack.use(await hold(to, text));
  return stack;
}

/** The value of a promise; undefined when it takes longer. */
export async function within<Value>(
  ms: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>();
  const limit = setTimeout(late.resolve, ms);
  return await Promise.race([promise, late.promise]).finally(() => clearTimeout(limit));
}

/** Sends a request on a connection of its own; the answer must come within 20 s. */
export async function ask(url: string, caCerts?: string[]): Promise<string> {
  using client = Deno.createHttpClient({ caCerts, poolMaxIdlePerHost: 0 });
  const init = { client, signal: AbortSignal.timeout(20_000) };
  return await (await fetch(url, init)).text();
}
