import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Context } from "fresh";

/** Each is done once for a file and kept, so it may take its time; it runs beside the event loop. */
const encoders = { br: promisify(brotliCompress), gzip: promisify(gzip) };

type Encoding = keyof typeof encoders;

const COMPRESSIBLE = /^(?:text\/|application\/(?:javascript|json)|image\/svg\+xml)/;

/** What was compressed so far; only files of the build get here, so it stays small. */
const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/**
 * Middleware: sends scripts, styles and drawings of the build compressed, a third of their size:
 * that is the difference that a phone on a train notices. Only what never changes at its address
 * (`immutable`) is compressed. Answers that hold somebody's content are left alone: their size
 * would tell about it (BREACH), and their streams would lose the native path to the socket.
 */
export async function compressAssets<State>(ctx: Context<State>): Promise<Response> {
  const answer = await ctx.next();
  const type = answer.headers.get("content-type") ?? "";
  const isAsset = answer.status === 200 && COMPRESSIBLE.test(type) &&
    (answer.headers.get("cache-control") ?? "").includes("immutable");
  if (!isAsset) return answer;

  answer.headers.append("vary", "Accept-Encoding");
  const encoding = chosen(ctx.req.headers.get("accept-encoding"));
  if (!encoding || !answer.body) return answer;

  const bytes = await compressed(`${encoding} ${ctx.url.pathname}`, encoding, answer);
  const headers = new Headers(answer.headers);
  headers.set("content-encoding", encoding);
  headers.set("content-length", String(bytes.length));
  return new Response(bytes, { headers });
}

/** Brotli before gzip, whichever the client names without refusing it (RFC 9110, 12.5.3). */
function chosen(accept: string | null): Encoding | undefined {
  const named = (accept ?? "").toLowerCase().split(",").map((part) => part.trim().split(/\s*;\s*/));
  const takes = (wanted: Encoding) =>
    named.some(([name, weight]) => name === wanted && !/^q=0(\.0*)?$/.test(weight ?? ""));
  return takes("br") ? "br" : takes("gzip") ? "gzip" : undefined;
}

async function compressed(
  key: string,
  encoding: Encoding,
  answer: Response,
): Promise<Uint8Array<ArrayBuffer>> {
  const known = kept.get(key);
  if (known) {
    await answer.body?.cancel();
    return await known;
  }
  const bytes = compress(encoding, answer);
  kept.set(key, bytes);
  bytes.catch(() => kept.delete(key));
  return await bytes;
}

async function compress(encoding: Encoding, answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await encoders[encoding](await answer.bytes()));
}
