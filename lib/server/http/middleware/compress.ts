import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
} from "node:zlib";
import type { Context } from "fresh";
import { acceptedNames } from "../request/accepts.ts";
import { isOwnRequest } from "./origin_checks.ts";
import type { State } from "../define.ts";

/** Each asset is compressed once and cached, so speed hardly matters; runs off the event loop. */
const encoders = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/**
 * Compressors of answers, which are compressed each time: fast levels. What was written is flushed,
 * so that results arrive while more are searched. Libuv's threads do the work.
 */
const streams = {
  zstd: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 4 }),
};

const ASSET = /^(?:text\/|application\/(?:javascript|json)|image\/svg\+xml)/;
const ANSWER = /^(?:text\/html|application\/(?:json|x-ndjson))\b/;

/** Answers below this length are sent as they are, in bytes: they fit into one packet. */
const minBytes = 1_024;

/** Cache of compressed bodies; only build output gets here, so it stays small. */
const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/**
 * Middleware: compresses scripts, styles and SVG of the build, pages and JSON. Refusals are sent as
 * they are, in one piece, as their connection may close; so are files, with the ranges and lengths
 * of the disk and on the native path to the socket.
 *
 * The size of an answer that contains both a secret and a text of an attacker's choice tells the
 * secret, one guess a request (BREACH). Hence an answer is compressed only if no other site can have
 * had it sent ({@linkcode isOwnRequest}), and never one with a token (`ctx.state.hasToken`).
 */
export async function compress(ctx: Context<State>): Promise<Response> {
  // The headers of a request that became a WebSocket can't be read.
  const accept = ctx.req.headers.get("accept-encoding");
  const isOwn = accept !== null && ctx.req.method !== "HEAD" && isOwnRequest(ctx);
  const answer = await ctx.next();
  const { headers } = answer;
  const type = headers.get("content-type") ?? "";
  if (answer.status === 200 && ASSET.test(type) && isImmutable(headers)) {
    headers.append("vary", "Accept-Encoding");
    return accept === null ? answer : await compressAsset(ctx.url.pathname, accept, answer);
  }
  if (!isOwn || !answer.ok || ctx.state.hasToken || !ANSWER.test(type)) return answer;
  return headers.has("content-disposition") ? answer : await compressAnswer(accept, answer, type);
}

function isImmutable(headers: Headers): boolean {
  return (headers.get("cache-control") ?? "").includes("immutable");
}

/** The first of these encodings that the client accepts (RFC 9110, 12.5.3). */
function chosen<Encoding extends string>(
  encodings: readonly Encoding[],
  accept: string,
): Encoding | undefined {
  const names = acceptedNames(accept);
  return encodings.find((encoding) => names.includes(encoding));
}

/** The answer, compressed while it is sent; its strong ETag is that of the file it is about. */
async function compressAnswer(accept: string, answer: Response, type: string): Promise<Response> {
  const encoding = chosen(["zstd", "br", "gzip"], accept);
  if (!encoding || !answer.body) return answer;
  const source = answer.body.getReader();
  // Lines are read as they arrive.
  const chunks = type.startsWith("application/x-ndjson") ? [] : await begun(source);
  if (chunks.length > 0 && lengthOf(chunks) < minBytes) {
    return new Response(await new Blob(chunks).bytes(), answer);
  }
  const headers = new Headers(answer.headers);
  headers.delete("content-length");
  headers.set("content-encoding", encoding);
  headers.append("vary", "Accept-Encoding");
  const { status, statusText } = answer;
  const body = through(streams[encoding](), chunks, source);
  return new Response(body, { status, statusText, headers });
}

type Source = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** The first chunks of a body, until they are worth compressing or the body ends. */
async function begun(source: Source): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  while (lengthOf(chunks) < minBytes) {
    const { value } = await source.read();
    if (!value) break;
    // The memory of a listing is used again with the next read.
    chunks.push(value.length < minBytes ? value.slice() : value);
  }
  return chunks;
}

function lengthOf(chunks: Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/**
 * The body, compressed. The next chunk is read when the one before is compressed, as its memory may
 * be used again.
 *
 * @param chunks those that were read; emptied
 */
function through(
  compressor: Transform,
  chunks: Uint8Array<ArrayBuffer>[],
  source: Source,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const ready: Uint8Array<ArrayBuffer>[] = [];
  compressor.on("data", (bytes) => ready.push(new Uint8Array(bytes)));
  const write = promisify<Uint8Array | undefined, void>((chunk, done) =>
    chunk ? compressor.write(chunk, done) : compressor.end(done)
  );
  let hasEnded = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        while (ready.length === 0 && !hasEnded) {
          const chunk = chunks.shift() ?? (await source.read()).value;
          await write(chunk);
          hasEnded = chunk === undefined;
        }
      } catch (error) {
        compressor.destroy();
        throw error;
      }
      for (const bytes of ready.splice(0)) controller.enqueue(bytes);
      if (hasEnded) controller.close();
    },
    async cancel(reason) {
      compressor.destroy();
      await source.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

async function compressAsset(path: string, accept: string, answer: Response): Promise<Response> {
  const encoding = chosen(["br", "gzip"], accept);
  if (!encoding || !answer.body) return answer;
  const key = `${encoding} ${path}`;
  const bytes = await compressed(key, encoding, answer);
  const headers = new Headers(answer.headers);
  headers.set("content-encoding", encoding);
  headers.set("content-length", String(bytes.length));
  return new Response(bytes, { headers });
}

async function compressed(
  key: string,
  encoding: keyof typeof encoders,
  answer: Response,
): Promise<Uint8Array<ArrayBuffer>> {
  const known = kept.get(key);
  if (known) {
    await answer.body?.cancel();
    return await known;
  }
  const bytes = encode(encoding, answer);
  kept.set(key, bytes);
  bytes.catch(() => kept.delete(key));
  return await bytes;
}

async function encode(
  encoding: keyof typeof encoders,
  answer: Response,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await encoders[encoding](await answer.bytes()));
}
