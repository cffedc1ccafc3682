import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { DeliveryFault } from "../../../shared/schemas/choices/webhook_choices.ts";
import type { WebhookRights } from "../../core/config/webhook_options.ts";
import { mayReach } from "./address.ts";
import type { Target } from "./target.ts";

/** Timeout of a delivery from the name's lookup to the answer's head, in milliseconds. */
const timeoutMs = 10_000;

/** The longest head of an answer that is read, in bytes; its body never is. */
const maxHeadBytes = 16 * 1024;

/** Most answers of the kind 1xx before the one that counts. */
const maxInterim = 5;

/** Most addresses of a name that are tried. */
const maxAddresses = 3;

/** The result of a delivery: the status of the answer, or why there is none. */
export type Outcome = { status: number; fault: null } | { status: null; fault: DeliveryFault };

/** The dependencies of a delivery. */
export interface PostOptions {
  rights: WebhookRights;
  /** All addresses of a name; those of the system unless given. */
  resolve?: (host: string) => Promise<string[]>;
  /** Ends the delivery. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

/**
 * Sends a POST. The name is looked up once, and the connection made to that very address, so that a
 * name server cannot answer differently for the check and for the connection (DNS rebinding). A
 * name is refused with all its addresses if one of them is. No redirect is followed, no proxy
 * asked, no body of an answer read. Never rejects.
 *
 * @param headers besides `Host` and those about the body
 */
export async function post(
  target: Target,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: PostOptions,
): Promise<Outcome> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), options.timeoutMs ?? timeoutMs);
  const signal = AbortSignal.any([late.signal, ...options.signal ? [options.signal] : []]);
  try {
    const addresses = await before(signal, addressesOf(target, options));
    if (addresses.length === 0) return fault("unreachable");
    const { privateNetworks } = options.rights;
    if (!addresses.every((each) => mayReach(each, privateNetworks))) return fault("refused");
    using conn = await connect(target, addresses.slice(0, maxAddresses), options.rights, signal);
    const close = () => closeOnce(conn);
    signal.addEventListener("abort", close);
    try {
      await writeAll(conn, requestOf(target, headers, body));
      const status = await readStatus(conn);
      return status === null ? fault("malformed") : { status, fault: null };
    } finally {
      signal.removeEventListener("abort", close);
    }
  } catch {
    return fault(late.signal.aborted ? "timeout" : "unreachable");
  } finally {
    clearTimeout(timer);
  }
}

function fault(fault: DeliveryFault): Outcome {
  return { status: null, fault };
}

async function addressesOf({ host }: Target, { resolve }: PostOptions): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  return await (resolve ?? addressesByName)(host);
}

async function addressesByName(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

async function connect(
  { host, port, isEncrypted }: Target,
  addresses: string[],
  { ca }: WebhookRights,
  signal: AbortSignal,
): Promise<Deno.Conn> {
  const conn = await firstOf(addresses, port, signal);
  if (!isEncrypted) return conn;
  const close = () => closeOnce(conn);
  signal.addEventListener("abort", close);
  try {
    // The certificate has to be that of the name, which is sent as well (SNI).
    const tls = await Deno.startTls(conn, { hostname: host, caCerts: ca ? [ca] : [] });
    try {
      await tls.handshake();
    } catch (error) {
      tls.close();
      throw error;
    }
    return tls;
  } catch (error) {
    closeOnce(conn);
    throw error;
  } finally {
    signal.removeEventListener("abort", close);
  }
}

async function firstOf(
  addresses: string[],
  port: number,
  signal: AbortSignal,
): Promise<Deno.TcpConn> {
  let last: unknown = new Error("Cannot connect: there is no address");
  for (const hostname of addresses) {
    try {
      return await Deno.connect({ hostname, port, signal });
    } catch (error) {
      signal.throwIfAborted();
      last = error;
    }
  }
  throw last;
}

function requestOf(
  { authority, path }: Target,
  headers: Readonly<Record<string, string>>,
  body: string,
): Uint8Array {
  const bytes = new TextEncoder().encode(body);
  // `Headers` refuses line breaks in values, which would be further headers (CWE-113).
  const all = new Headers({
    ...headers,
    host: authority,
    "content-length": String(bytes.length),
    connection: "close",
  });
  const lines = [...all].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = new TextEncoder().encode(`POST ${path} HTTP/1.1\r\n${lines}\r\n`);
  const request = new Uint8Array(head.length + bytes.length);
  request.set(head);
  request.set(bytes, head.length);
  return request;
}

async function writeAll(conn: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await conn.write(bytes.subarray(sent));
}

/** The status of the answer, which need not have come further; null for what is no answer. */
async function readStatus(conn: Deno.Conn): Promise<number | null> {
  const head = new Uint8Array(maxHeadBytes);
  let length = 0;
  while (length < head.length) {
    const count = await conn.read(head.subarray(length));
    if (count === null) return null;
    length += count;
    const text = new TextDecoder("latin1").decode(head.subarray(0, length));
    const found = statusIn(text);
    if (found !== undefined) return found;
  }
  return null;
}

/** Undefined while more has to come. */
function statusIn(text: string): number | null | undefined {
  let rest = text;
  for (let interim = 0; interim <= maxInterim; interim++) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const [, digits] = /^HTTP\/1\.[01] (\d{3})(?: [^\r\n]*)?\r\n/.exec(rest) ?? [];
    const status = Number(digits);
    if (digits === undefined || status < 100) return null;
    if (status >= 200) return status;
    rest = rest.slice(end + 4);
  }
  return null;
}

/** Waits for a lookup, which cannot be aborted itself, as long as there is time. */
async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort);
  work.catch(() => {});
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function closeOnce(conn: Pick<Deno.Conn, "close">): void {
  try {
    conn.close();
  } catch {
    // It is closed, or has become a part of the encrypted one.
  }
}
