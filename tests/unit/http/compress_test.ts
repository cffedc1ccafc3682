import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { App } from "fresh";
import type { State } from "../../../lib/server/http/define.ts";
import { compress } from "../../../lib/server/http/middleware/compress.ts";

const text = "const listing = [];\n".repeat(500);
const forEver = "public, max-age=31536000, immutable";

/** What an app answers that serves one text with these headers; a new address each time. */
async function answerFor(accept: string | null, headers: Record<string, string>) {
  const path = `/${crypto.randomUUID()}.js`;
  const app = new App<State>().use(compress).get(path, () => new Response(text, { headers }));
  const asked = new Headers({ "sec-fetch-site": "none" });
  if (accept !== null) asked.set("accept-encoding", accept);
  const handler = app.handler();
  const ask = () => handler(new Request(`http://cubby.test${path}`, { headers: asked }));
  const first = await ask();
  const second = await ask();
  assert.equal(second.headers.get("content-encoding"), first.headers.get("content-encoding"));
  return { headers: first.headers, bytes: await first.bytes(), again: await second.bytes() };
}

const script = { "content-type": "text/javascript; charset=utf-8", "cache-control": forEver };

Deno.test("a script that may change is not compressed", async () => {
  const private_ = { ...script, "cache-control": "private, no-cache" };
  const { headers, bytes } = await answerFor("br, gzip", private_);
  assert.equal(headers.get("content-encoding"), null);
  assert.equal(new TextDecoder().decode(bytes), text);
});

Deno.test("pictures and clients that name no known encoding get the bytes as they are", async () => {
  const picture = { ...script, "content-type": "image/png" };
  assert.equal((await answerFor("br", picture)).headers.get("content-encoding"), null);
  for (const accept of [null, "identity", "br;q=0", "gzip; q=0.0, zstd", "brotli"]) {
    const { headers, bytes } = await answerFor(accept, script);
    assert.equal(headers.get("content-encoding"), null, String(accept));
    assert.equal(new TextDecoder().decode(bytes), text);
  }
});

Deno.test("scripts of the build go out compressed, the same each time, and say so to caches", async () => {
  const brotli = await answerFor("gzip, deflate, br", script);
  assert.equal(brotli.headers.get("content-encoding"), "br");
  assert.equal(brotli.headers.get("vary"), "Accept-Encoding");
  assert.equal(Number(brotli.headers.get("content-length")), brotli.bytes.length);
  assert.equal(new TextDecoder().decode(brotliDecompressSync(brotli.bytes)), text);
  assert.deepEqual(brotli.again, brotli.bytes);

  const zipped = await answerFor("gzip;q=0.5", script);
  assert.equal(zipped.headers.get("content-encoding"), "gzip");
  assert.equal(new TextDecoder().decode(gunzipSync(zipped.bytes)), text);
});
