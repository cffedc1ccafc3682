import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { App } from "fresh";
import type { State } from "../../../lib/server/http/define.ts";
import { compress } from "../../../lib/server/http/middleware/compress.ts";
import { startApp } from "../../support/server/app.ts";

const many = Object.fromEntries(
  Array.from({ length: 3_000 }, (_, place) => [`file ${place}.txt`, ""]),
);
const big = JSON.stringify({ note: "a note of some length ".repeat(500) });
const tree = { many, few: { "a.txt": "a" }, "big.json": big, "big.html": `<p>${big}` };
const app = await startApp({ inProcess: true, islands: true, tree });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

/** What a browser with a session gets. */
async function visit(path: string, headers: Record<string, string>, method = "GET") {
  const asked = {
    cookie: `auth=${token}`,
    "accept-encoding": "gzip, deflate, br, zstd",
    ...headers,
  };
  const answer = await app.call(method, path, { headers: asked });
  return { answer, encoding: answer.headers.get("content-encoding"), bytes: await bytesOf(answer) };
}

/** A chunk is read whole before the next one: the memory of a listing is used again. */
async function bytesOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk.slice());
  return await new Blob(chunks).bytes();
}

const page = { accept: "text/html" };
const answers: [path: string, headers: Record<string, string>][] = [
  ["/files/many/", page],
  ["/api/resources/many/", {}],
  ["/api/search/many/?query=file", {}],
  ["/api/search/many/?query=file", { accept: "application/x-ndjson" }],
];

/** Requests that another site may have had the browser send. */
const foreign: Record<string, string>[] = [
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "" },
  { "sec-fetch-site": "cross-site", referer: "http://cubby.test/files/" },
  { referer: "http://evil.test/" },
  { referer: "http://cubby.test.evil.test/files/" },
  { referer: "http://evil.test/?http://cubby.test/" },
  { referer: "null" },
  {},
];

for (const [path, headers] of answers) {
  Deno.test(`${path}: ${headers.accept ?? "JSON"} tells another site nothing by its size`, async () => {
    for (const sent of foreign) {
      const { answer, encoding } = await visit(path, { ...headers, ...sent });
      assert.equal(answer.status, 200);
      assert.equal(encoding, null, JSON.stringify(sent));
    }
  });

  Deno.test(`${path}: ${headers.accept ?? "JSON"} is compressed for our own pages`, async () => {
    const own: Record<string, string>[] = [
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
      { referer: "http://cubby.test/files/" },
      { "x-auth": token, cookie: "" },
    ];
    for (const sent of own) {
      for (const [name, decode] of Object.entries(decoders)) {
        const { answer, encoding, bytes } = await visit(path, {
          ...headers,
          ...sent,
          "accept-encoding": name,
        });
        assert.equal(encoding, name, JSON.stringify(sent));
        assert.match(answer.headers.get("vary") ?? "", /Accept-Encoding/);
        assert.equal(answer.headers.get("content-length"), null);
        const text = new TextDecoder().decode(decode(bytes));
        if (headers === page) {
          const policy = answer.headers.get("content-security-policy") ?? "";
          const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
          assert.ok(text.includes(`nonce="${nonce}"`), policy);
        }
        assert.ok(text.includes("file 7.txt") && bytes.length < text.length / 3);
      }
    }
  });
}

Deno.test("files, short answers and HEAD go out as they are", async () => {
  const own = { "sec-fetch-site": "same-origin" };
  for (const path of ["big.json", "big.html", "big.json?inline=true", "big.html?inline=true"]) {
    const { answer, encoding, bytes } = await visit(`/api/raw/${path}`, own);
    assert.equal(encoding, null, path);
    assert.equal(answer.headers.get("content-length"), String(bytes.length));
  }
  const { encoding, bytes } = await visit("/api/resources/few/", own);
  assert.equal(encoding, null);
  assert.equal(JSON.parse(new TextDecoder().decode(bytes)).numFiles, 1);
  assert.equal((await visit("/api/resources/many/", own, "HEAD")).encoding, null);
  const none = { ...own, "accept-encoding": "identity, gzip;q=0, br; q=0.0" };
  assert.equal((await visit("/api/resources/many/", none)).encoding, null);
});

Deno.test("what holds the token of a share goes out as it is, whoever asks", async () => {
  const own = { "sec-fetch-site": "same-origin", "x-auth": token };
  const shared = async (json: unknown) =>
    (await (await app.call("POST", "/api/share/many/", { token, json })).json()).hash;
  const closed = await shared({ password: "three blue herons" });
  const secret = { "x-share-password": "three blue herons", ...own };
  assert.equal((await visit(`/api/public/share/${closed}`, secret)).encoding, null);
  const open = await shared({});
  assert.equal((await visit(`/api/public/share/${open}`, own)).encoding, "zstd");
  assert.equal((await visit(`/share/${open}`, { ...own, ...page })).encoding, "zstd");
  assert.equal((await visit("/api/shares", own)).encoding, null);
});

Deno.test("lines arrive while the search goes on", async () => {
  const stream = new TransformStream<Uint8Array<ArrayBuffer>>();
  const writer = stream.writable.getWriter();
  const headers = { "content-type": "application/x-ndjson", "cache-control": "no-store" };
  const line = () => new Response(stream.readable, { headers });
  const handler = new App<State>().use(compress).get("/", line).handler();
  const asked = { "x-auth": "any", "accept-encoding": "gzip" };
  const answer = await handler(new Request("http://cubby.test/", { headers: asked }));
  const reader = answer.body!.pipeThrough(new DecompressionStream("gzip")).getReader();
  for (const text of ["{}\n", '{"path":"/a"}\n']) {
    await writer.write(new TextEncoder().encode(text));
    assert.equal(new TextDecoder().decode((await reader.read()).value), text);
  }
  await writer.abort("broken off");
  await assert.rejects(reader.read());
});

Deno.test("a large listing that the client breaks off leaves nothing open", async () => {
  const headers = { "accept-encoding": "gzip" };
  const answer = await app.call("GET", "/api/resources/many/", { token, headers });
  const reader = answer.body!.getReader();
  await reader.read();
  await reader.cancel();
});
