import assert from "node:assert/strict";
import { App } from "fresh";
import { built, project, quietConsole, type Send } from "./support/project.ts";

const MIDDLEWARE = `
export const handler = [
  async function rootHeader(ctx) {
    ctx.state.before = true;
    const response = await ctx.next();
    response.headers.set("x-root", "1");
    return response;
  },
];`;

const FILES: Record<string, string> = {
  "routes/_app.tsx": `
    export default ({ Component }) => <html><head /><body id="app"><Component /></body></html>;`,
  "routes/_layout.tsx": `export default ({ Component }) => <div id="layout"><Component /></div>;`,
  "routes/_middleware.ts": MIDDLEWARE,
  "routes/_error.tsx": `
    export default ({ error }) => <p>root error: {String(error.message)}</p>;`,
  "routes/_404.tsx": `
    import { page } from "fresh";
    export const handler = (ctx) =>
      ctx.url.pathname.startsWith("/api/")
        ? Response.json({ code: "not_found" }, { status: 404 })
        : page(undefined, { status: 404 });
    export default ({ url, error }) => <p>no {url.pathname}, {error.status}</p>;`,
  "routes/index.tsx": `
    import { HttpError } from "fresh";
    export const handler = { GET() { throw new HttpError(503, "closed"); } };`,
  "routes/broken.tsx": `export default () => { throw new Error("no luck"); };`,
  "routes/only_post.ts": `export const handler = { POST: () => new Response("posted") };`,
  "routes/api/_error.ts": `
    import { HttpError } from "fresh";
    export const handler = ({ error }) => {
      const status = error instanceof HttpError ? error.status : 500;
      return Response.json({ message: error.message }, { status });
    };`,
  "routes/api/teapot.ts": `
    import { HttpError } from "fresh";
    export const handler = { GET() { throw new HttpError(418, "short and stout"); } };`,
  "routes/api/gone.ts": `
    import { HttpError } from "fresh";
    export const handler = { GET() { throw new HttpError(404, "not here"); } };`,
  "routes/api/crash.ts": `export const handler = { GET() { throw new TypeError("oops"); } };`,
  "routes/eager.ts": `
    export const config = { routeOverride: "/eager" };
    export const handler = { GET: () => new Response("eager") };`,
};

async function site(files: Record<string, string> = {}): Promise<Send & AsyncDisposable> {
  const made = await project({ ...FILES, ...files });
  const send = await built(made.root);
  return Object.assign(send, { [Symbol.asyncDispose]: made[Symbol.asyncDispose] });
}

Deno.test("an unknown path is answered by _404 with its status, outside the root middlewares", async () => {
  await using send = await site();
  const response = await send("/nowhere");
  const html = await response.text();
  assert.equal(response.status, 404);
  assert.match(html, /<body id="app"><div id="layout"><p>no \/nowhere, 404<\/p><\/div><\/body>/);
  assert.equal(response.headers.get("x-root"), null);
});

Deno.test("an unknown path below /api/ is answered by the root _404 too", async () => {
  await using send = await site();
  const response = await send("/api/nowhere");
  assert.equal(response.status, 404);
  assert.deepEqual(await response.json(), { code: "not_found" });
});

Deno.test("a _404 with a component alone answers 200", async () => {
  await using send = await site({ "routes/_404.tsx": `export default () => <p>none</p>;` });
  assert.equal((await send("/nowhere")).status, 200);
});

Deno.test("a method that a lazy file route lacks is a 404, OPTIONS too", async () => {
  await using send = await site();
  assert.equal((await send("/only_post")).status, 404);
  assert.equal((await send("/only_post", { method: "OPTIONS" })).status, 404);
  assert.equal(await (await send("/only_post", { method: "POST" })).text(), "posted");
});

Deno.test("a method that an eager file route lacks is a 405, and OPTIONS tells what it has", async () => {
  await using send = await site();
  const refused = await send("/eager", { method: "POST" });
  assert.equal(refused.status, 405);
  assert.match(await refused.text(), /root error/);
  const options = await send("/eager", { method: "OPTIONS" });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get("allow"), "GET");
});

Deno.test("the nearest _error answers what is thrown, inside the middlewares of the root", async () => {
  await using send = await site();
  const response = await send("/api/teapot");
  assert.equal(response.status, 418);
  assert.deepEqual(await response.json(), { message: "short and stout" });
  assert.equal(response.headers.get("x-root"), "1");
  assert.equal((await send("/api/crash")).status, 500);
});

Deno.test("a 404 that is thrown goes to the root _404, past a nearer _error", async () => {
  await using send = await site();
  const response = await send("/api/gone");
  assert.equal(response.status, 404);
  assert.deepEqual(await response.json(), { code: "not_found" });
});

Deno.test("the root _error has the status of the error, ctx.error, the layouts and the app", async () => {
  await using send = await site();
  const closed = await send("/");
  assert.equal(closed.status, 503);
  assert.match(
    await closed.text(),
    /<body id="app"><div id="layout"><p>root error: closed<\/p><\/div><\/body>/,
  );
  assert.equal(closed.headers.get("x-root"), null);
});

Deno.test("an error while a page is rendered is answered by _error", async () => {
  await using send = await site();
  const response = await send("/broken");
  assert.equal(response.status, 500);
  assert.match(await response.text(), /root error: no luck/);
});

Deno.test("an error in an _error route goes to the one above it", async () => {
  await using send = await site({
    "routes/api/_error.ts": `export const handler = () => { throw new Error("worse"); };`,
  });
  const response = await send("/api/teapot");
  assert.equal(response.status, 500);
  assert.match(await response.text(), /root error: worse/);
});

Deno.test("an error in the root _error is plain", async () => {
  using _console = quietConsole();
  await using send = await site({
    "routes/_error.tsx": `export default () => { throw new Error("worst"); };`,
  });
  const response = await send("/broken");
  assert.equal(response.status, 500);
  assert.equal(await response.text(), "Internal server error");
});

Deno.test("a malformed escape in a parameter fails before the application", async () => {
  await using send = await site({
    "routes/files/[...path].ts": `export const handler = (ctx) => new Response(ctx.params.path);`,
  });
  await assert.rejects(send("/files/%zz"), URIError);
});

Deno.test("onError() and notFound() do in code what the files do", async () => {
  const app = new App()
    .onError("/api", (ctx) => new Response(`api: ${ctx.error}`, { status: 500 }))
    .onError("*", (ctx) => new Response(`root: ${ctx.error}`, { status: 500 }))
    .notFound(() => new Response("none", { status: 404 }))
    .get("/api/x", () => {
      throw "x";
    })
    .get("/y", () => {
      throw "y";
    });
  const handler = app.handler();
  const send: Send = (path) => handler(new Request(`http://localhost${path}`));
  assert.equal(await (await send("/api/x")).text(), "api: x");
  assert.equal(await (await send("/y")).text(), "root: y");
  assert.equal(await (await send("/z")).text(), "none");
});
