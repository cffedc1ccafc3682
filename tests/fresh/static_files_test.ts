import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { App, staticFiles } from "fresh";
import { built, project, type Send } from "./support/project.ts";

const FILES: Record<string, string> = {
  "static/a.txt": "twelve bytes",
  "static/with space.txt": "spaced",
  "static/deep/b.svg": "<svg/>",
  "static/no_extension": "none",
  "static/.secret": "hidden",
  "static/.git/config": "hidden",
  "static/.well-known/security.txt": "contact",
  "static/style.css": `a { background: url("/a.png") } b { background: url( ../b.png ) }
    c { background: url('/c.png?x=1#y'), url(data:image/png;base64,AA==), url(//cdn.example/d.png) }`,
  "secret.txt": "outside",
  "islands/One.tsx": `export default () => <i />;`,
  "routes/index.tsx": `import One from "../islands/One.tsx"; export default () => <One />;`,
  "routes/[...path].ts": `export const handler = () => new Response("route");`,
};

const FOR_EVER = "public, max-age=31536000, immutable";
const NEVER = "no-cache, no-store, max-age=0, must-revalidate";

async function site(
  app = new App().use(staticFiles()).fsRoutes(),
): Promise<Send & AsyncDisposable & { root: string }> {
  const made = await project(FILES);
  const send = await built(made.root, app);
  const dispose = made[Symbol.asyncDispose];
  return Object.assign(send, { root: made.root, [Symbol.asyncDispose]: dispose });
}

async function scriptPath(send: Send, page = "/"): Promise<string> {
  return /from"([^"]*)"/.exec(await (await send(page)).text())?.[1] ?? "";
}

async function keyOf(send: Send): Promise<string> {
  return /\/js\/([^/]+)\//.exec(await scriptPath(send))?.[1] ?? "";
}

Deno.test("no path leads out of the static folder, or to hidden files (CWE-22)", async () => {
  await using send = await site();
  const attacks = [
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/deep/..%2f..%2fsecret.txt",
    "/deep%5c..%5c..%5csecret.txt",
    "/.secret",
    "/%2esecret",
    "/.git/config",
    "/a.txt%00.css",
  ];
  for (const path of attacks) assert.equal(await (await send(path)).text(), "route", path);
  await assert.rejects(send("/%zz"), URIError);
});

Deno.test("a static file can only be read", async () => {
  await using send = await site();
  for (const method of ["POST", "PUT", "DELETE"]) {
    assert.equal((await send("/a.txt", { method })).status, 405, method);
  }
});

Deno.test("a file is served with its type, length and weak entity tag", async () => {
  await using send = await site();
  const response = await send("/a.txt");
  const hash = createHash("sha256").update("twelve bytes").digest("hex");
  assert.equal(response.headers.get("content-type"), "text/plain; charset=UTF-8");
  assert.equal(response.headers.get("content-length"), "12");
  assert.equal(response.headers.get("etag"), `W/"${hash}"`);
  assert.equal(response.headers.get("vary"), "If-None-Match");
  assert.equal(response.headers.get("cache-control"), NEVER);
  assert.equal(await response.text(), "twelve bytes");
});

Deno.test("files are found by their decoded path, below folders and below .well-known", async () => {
  await using send = await site();
  const table: Record<string, [body: string, type: string]> = {
    "/with%20space.txt": ["spaced", "text/plain; charset=UTF-8"],
    "/deep/b.svg": ["<svg/>", "image/svg+xml"],
    "/no_extension": ["none", "text/plain"],
    "/.well-known/security.txt": ["contact", "text/plain; charset=UTF-8"],
  };
  for (const [path, [body, type]] of Object.entries(table)) {
    const response = await send(path);
    assert.equal(await response.text(), body, path);
    assert.equal(response.headers.get("content-type"), type, path);
  }
});

Deno.test("HEAD has the headers of GET and no body", async () => {
  await using send = await site();
  const response = await send("/a.txt", { method: "HEAD" });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-length"), "12");
  assert.equal(response.body, null);
});

Deno.test("a browser that has the file is told so", async () => {
  await using send = await site();
  const etag = (await send("/a.txt")).headers.get("etag") ?? "";
  for (const known of [etag, etag.slice(2), `"other", ${etag}`]) {
    const response = await send("/a.txt", { headers: { "if-none-match": known } });
    assert.equal(response.status, 304, known);
    assert.equal(response.body, null);
    assert.equal(response.headers.get("etag"), etag);
  }
  const other = await send("/a.txt", { headers: { "if-none-match": 'W/"other"' } });
  assert.equal(other.status, 200);
});

Deno.test("a URL tied to this build may be kept for a year", async () => {
  await using send = await site();
  const tied = await send(`/a.txt?__frsh_c=${await keyOf(send)}`);
  assert.equal(tied.headers.get("cache-control"), FOR_EVER);
  const script = await send(await scriptPath(send));
  assert.equal(script.headers.get("cache-control"), FOR_EVER);
  assert.equal(script.headers.get("content-type"), "text/javascript; charset=UTF-8");
});

Deno.test("nothing may be kept while the application is being worked on", async () => {
  const app = new App({ mode: "development" }).use(staticFiles()).fsRoutes();
  await using send = await site(app);
  const tied = await send(`/a.txt?__frsh_c=${await keyOf(send)}`);
  assert.equal(tied.headers.get("cache-control"), NEVER);
});

Deno.test("a URL tied to another build leads to the bare path", async () => {
  await using send = await site();
  const response = await send("/a.txt?__frsh_c=other&x=1");
  assert.equal(response.status, 307);
  assert.equal(response.headers.get("location"), "/a.txt?x=1");
});

Deno.test("URLs in style sheets are tied to the build", async () => {
  await using send = await site();
  const key = `__frsh_c=${await keyOf(send)}`;
  assert.equal(
    await (await send("/style.css")).text(),
    `a { background: url("/a.png?${key}") } b { background: url( ../b.png ) }
    c { background: url("/c.png?x=1&${key}#y"), url(data:image/png;base64,AA==), url(//cdn.example/d.png) }`,
  );
});

Deno.test("a missing favicon is a bare 404, any other missing file is left to the routes", async () => {
  await using send = await site();
  const icon = await send("/favicon.ico");
  assert.equal(icon.status, 404);
  assert.equal(icon.body, null);
  assert.equal(await (await send("/missing.css")).text(), "route");
});

Deno.test("files lie below the base path, redirects stay there, and nothing is served outside", async () => {
  await using send = await site(new App({ basePath: "/base" }).use(staticFiles()).fsRoutes());
  assert.equal(await (await send("/base/a.txt")).text(), "twelve bytes");
  const stale = await send("/base/a.txt?__frsh_c=other");
  assert.equal(stale.headers.get("location"), "/base/a.txt");
  const path = await scriptPath(send, "/base");
  assert.match(path, /^\/base\//);
  assert.equal((await send(path)).headers.get("cache-control"), FOR_EVER);
  for (const outside of ["/a.txt", "/basea.txt", "/basement/a.txt"]) {
    assert.equal((await send(outside)).status, 404, outside);
  }
});

Deno.test("of several static folders the first that has the file counts", async () => {
  await using made = await project({
    "one/a.txt": "one",
    "two/a.txt": "two",
    "two/b.txt": "two",
  });
  const send = await built(made.root, undefined, { staticDir: ["one", "two"] });
  assert.equal(await (await send("/a.txt")).text(), "one");
  assert.equal(await (await send("/b.txt")).text(), "two");
});
