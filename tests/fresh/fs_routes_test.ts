import assert from "node:assert/strict";
import { App } from "fresh";
import { built, project, quietConsole } from "./support/project.ts";

async function text(response: Promise<Response>): Promise<string> {
  return await (await response).text();
}

/** A middleware file that leaves its name in a list. */
function mark(name: string): string {
  return `export default (ctx) => { (ctx.state.trail ??= []).push("${name}"); return ctx.next(); };`;
}

const TRAIL = `export const handler = (ctx) => Response.json(ctx.state.trail ?? []);`;

Deno.test("a special file without a usable export is refused by name", async () => {
  await using made = await project({ "routes/_middleware.ts": `export const nothing = 1;` });
  await assert.rejects(
    () => built(made.root),
    /Cannot load "\/_middleware": it exports no default/,
  );
});

Deno.test("a route without a usable export answers 500 and names the file in the log", async () => {
  using console = quietConsole();
  await using made = await project({ "routes/empty.ts": `export const nothing = 1;` });
  const send = await built(made.root);
  assert.equal((await send("/empty")).status, 500);
  assert.match(String(console.printed[0]), /"\/empty"/);
});

Deno.test("a handler with more than one parameter is refused", async () => {
  await using made = await project({
    "routes/old.ts": `export const config = { routeOverride: "/old" };
      export const handler = (req, ctx) => new Response();`,
  });
  await assert.rejects(() => built(made.root), /Cannot load "\/old": a handler takes one argument/);
});

Deno.test("an object of methods as a middleware is reported and ignored", async () => {
  using console = quietConsole();
  await using made = await project({
    "routes/_middleware.ts": `export const handler = { GET: () => new Response("no") };`,
    "routes/index.ts": TRAIL,
  });
  const send = await built(made.root);
  assert.equal(await text(send("/")), "[]");
  assert.match(String(console.printed[0]), /"\/_middleware"/);
});

Deno.test("a middleware file holds one function or a list, as default or as handler", async () => {
  const list = `[(ctx) => { ctx.state.trail = ["first"]; return ctx.next(); },
    (ctx) => { ctx.state.trail.push("second"); return ctx.next(); }]`;
  for (const name of ["default", "const handler =", "const handlers ="]) {
    await using made = await project({
      "routes/_middleware.ts": `export ${name} ${list};`,
      "routes/index.ts": TRAIL,
    });
    const send = await built(made.root);
    assert.equal(await text(send("/")), '["first","second"]', name);
  }
});

Deno.test("middlewares of folders and groups apply to what lies in them", async () => {
  await using made = await project({
    "routes/_middleware.ts": mark("root"),
    "routes/index.ts": TRAIL,
    "routes/admin.ts": TRAIL,
    "routes/admin/_middleware.ts": mark("admin"),
    "routes/admin/users.ts": TRAIL,
    "routes/(site)/_middleware.ts": mark("site"),
    "routes/(site)/contact.ts": TRAIL,
    "routes/docs/_middleware.ts": mark("docs"),
    "routes/docs/[[version]]/index.ts": TRAIL,
    "routes/docs/[[version]]/search.ts": TRAIL,
  });
  const send = await built(made.root);
  const table: Record<string, string[]> = {
    "/": ["root"],
    "/admin": ["root"],
    "/admin/users": ["root", "admin"],
    "/contact": ["root", "site"],
    "/docs": ["root", "docs"],
    "/docs/v2": ["root", "docs"],
    "/docs/v2/search": ["root", "docs"],
  };
  for (const [path, trail] of Object.entries(table)) {
    assert.deepEqual(await (await send(path)).json(), trail, path);
  }
});

Deno.test("an index file is guarded by the middleware of its own folder", async () => {
  await using made = await project({
    "routes/admin/_middleware.ts": mark("admin"),
    "routes/admin/index.ts": TRAIL,
  });
  const send = await built(made.root);
  assert.equal(await text(send("/admin")), '["admin"]');
});

Deno.test("layouts wrap inside out, and a page or layout can leave wrappers out", async () => {
  const wrap = (name: string, config = "") =>
    `${config}\nexport default ({ Component }) => <i id="${name}"><Component /></i>;`;
  const config = (fields: string) => `export const config = { ${fields} };`;
  await using made = await project({
    "routes/_app.tsx": wrap("app"),
    "routes/_layout.tsx": wrap("outer"),
    "routes/a/_layout.tsx": wrap("inner"),
    "routes/a/full.tsx": `export default () => <b />;`,
    "routes/a/alone.tsx": `${config("skipInheritedLayouts: true")}\nexport default () => <b />;`,
    "routes/a/bare.tsx": `${config("skipInheritedLayouts: true, skipAppWrapper: true")}
      export default () => <b />;`,
    "routes/b/_layout.tsx": wrap("own", config("skipInheritedLayouts: true, skipAppWrapper: true")),
    "routes/b/index.tsx": `export default () => <b />;`,
  });
  const send = await built(made.root);
  const body = async (path: string) => /<body>(.*)<\/body>/.exec(await text(send(path)))?.[1];
  assert.equal(
    await body("/a/full"),
    '<i id="app"><i id="outer"><i id="inner"><b></b></i></i></i>',
  );
  assert.equal(await body("/a/alone"), '<i id="app"><b></b></i>');
  assert.equal(await body("/a/bare"), "<b></b>");
  assert.equal(await body("/b"), '<i id="own"><b></b></i>');
});

Deno.test("exact routes come before parameters, and those before rest parameters", async () => {
  const say = (name: string) => `export const handler = () => new Response("${name}");`;
  await using made = await project({
    "routes/files/[...path].ts": say("rest"),
    "routes/files/[name].ts": say("name"),
    "routes/files/new.ts": say("new"),
    "routes/files/index.ts": say("index"),
    "routes/[...path].ts": say("outer rest"),
  });
  const send = await built(made.root);
  assert.equal(await text(send("/files")), "index");
  assert.equal(await text(send("/files/new")), "new");
  assert.equal(await text(send("/files/x")), "name");
  assert.equal(await text(send("/files/x/y")), "rest");
  assert.equal(await text(send("/x/y")), "outer rest");
});

Deno.test("routeOverride replaces the pattern and registers only the methods there are", async () => {
  await using made = await project({
    "routes/feed.ts": `export const config = { routeOverride: "/feed.:kind(xml|json)" };
      export const handler = { GET: (ctx) => new Response(ctx.params.kind) };`,
  });
  const send = await built(made.root);
  assert.equal(await text(send("/feed.xml")), "xml");
  assert.equal((await send("/feed.txt")).status, 404);
  assert.equal((await send("/feed")).status, 404);
  assert.equal((await send("/feed.xml", { method: "POST" })).status, 405);
});

Deno.test("tests and private folders are no routes", async () => {
  await using made = await project({
    "routes/a_test.ts": `throw new Error("loaded");`,
    "routes/a.test.ts": `throw new Error("loaded");`,
    "routes/(_parts)/part.ts": `throw new Error("loaded");`,
    "routes/a.ts": `export const handler = () => new Response("a");`,
  });
  const send = await built(made.root);
  assert.equal(await text(send("/a")), "a");
  for (const path of ["/a_test", "/a.test", "/part", "/_parts/part"]) {
    assert.equal((await send(path)).status, 404, path);
  }
});

Deno.test("a file name with other characters answers its encoded path", async () => {
  await using made = await project({
    "routes/größe.ts": `export const handler = () => new Response("size");`,
  });
  const send = await built(made.root);
  assert.equal(await text(send("/größe")), "size");
});

Deno.test("fsRoutes() inserts the routes where it stands, below a path if one is given", async () => {
  await using made = await project({
    "routes/index.ts": TRAIL,
    "routes/a.ts": TRAIL,
  });
  interface State {
    trail: string[];
  }
  const app = new App<State>({ basePath: "/base" })
    .use((ctx) => {
      ctx.state.trail = ["before"];
      return ctx.next();
    })
    .fsRoutes("/mounted")
    .use((ctx) => {
      ctx.state.trail.push("after");
      return ctx.next();
    });
  const send = await built(made.root, app);
  assert.equal(await text(send("/base/mounted")), '["before"]');
  assert.equal(await text(send("/base/mounted/a")), '["before"]');
  assert.equal((await send("/mounted/a")).status, 404);
});

Deno.test("a page gets what its handler returns, with its headers and status", async () => {
  await using made = await project({
    "routes/index.tsx": `
      import { page } from "fresh";
      export const handler = {
        GET: () => page({ name: "x" }, { status: 201, headers: { "x-own": "1" } }),
      };
      export default ({ data }) => <p>{data.name}</p>;`,
  });
  const send = await built(made.root);
  const response = await send("/");
  assert.equal(response.status, 201);
  assert.equal(response.headers.get("x-own"), "1");
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(await response.text(), /<p>x<\/p>/);
});

Deno.test("an async page or layout is awaited, and may answer with a response", async () => {
  await using made = await project({
    "routes/_layout.tsx": `
      export default async ({ Component, url }) => {
        await Promise.resolve();
        if (url.searchParams.has("out")) return new Response("from the layout");
        return <div><Component /></div>;
      };`,
    "routes/index.tsx": `
      export default async ({ url }) => {
        await Promise.resolve();
        if (url.searchParams.has("page")) return new Response("from the page");
        return <p>async</p>;
      };`,
  });
  const send = await built(made.root);
  assert.match(await text(send("/")), /<div><p>async<\/p><\/div>/);
  assert.equal(await text(send("/?page")), "from the page");
  assert.equal(await text(send("/?out")), "from the layout");
});
