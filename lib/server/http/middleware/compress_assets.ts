import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Context } from "fresh";
import { acceptedNames } from "../request/accepts.ts";

/** Each asset is compressed once and cached, so speed hardly matters; runs off the event loop. */
const encoders = { br: promisify(brotliCompress), gzip: promisify(gzip) };

type Encoding = keyof typeof encoders;

const COMPRESSIBLE = /^(?:text\/|application\/(?:javascript|json)|image\/svg\+xml)/;

/** Cache of compressed bodies; only build output gets here, so it stays small. */
const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/**
 * Middleware: compresses scripts, styles and SVG of the build to about a third of their size, for
 * slow connections. Only `immutable` responses are compressed. Responses with user content are not:
 * their compressed size would leak it (BREACH), and their streams would lose the native path to the
 * socket.
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

/** Prefers Brotli to gzip among the encodings that the client accepts (RFC 9110, 12.5.3). */
function chosen(accept: string | null): Encoding | undefined {
  const names = acceptedNames(accept);
  return (["br", "gzip"] as const).find((encoding) => names.includes(encoding));
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
