import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Builder } from "fresh/dev";
import { project } from "./support/project.ts";

const FILES: Record<string, string> = {
  "main.ts": `
    import { App, staticFiles } from "fresh";
    const basePath = Deno.args[0] ?? "";
    export const app = new App({ basePath }).use(staticFiles()).fsRoutes();`,
  "static/a.txt": "a",
  "static/style.css": "a{background:url(/a.txt)}",
  "islands/Counter.tsx": `
    import { useState } from "preact/hooks";
    export default ({ start }) => { const [n] = useState(start); return <b>{n}</b>; };`,
  "routes/index.tsx": `
    import Counter from "../islands/Counter.tsx";
    export default () => <Counter start={1} />;`,
  "routes/lazy.ts": `
    globalThis.lazyLoads = (globalThis.lazyLoads ?? 0) + 1;
    export const handler = () => new Response(String(globalThis.lazyLoads));`,
};

async function build(root: string): Promise<string[]> {
  const printed: string[] = [];
  const { log } = console;
  console.log = (line: string) => void printed.push(line);
  try {
    await new Builder({ root }).build();
  } finally {
    console.log = log;
  }
  return printed;
}

async function filesBelow(folder: string, prefix = ""): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) files.push(...await filesBelow(join(folder, name), `${prefix}${name}/`));
    else files.push(prefix + name);
  }
  return files.sort();
}

/** Runs a module of the built project in a process of its own, with narrow rights. */
async function run(root: string, code: string, ...args: string[]): Promise<string> {
  const entry = join(root, "run.ts");
  await Deno.writeTextFile(entry, code);
  const config = join(import.meta.dirname ?? "", "../../deno.json");
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      `--config=${config}`,
      `--allow-read=${root}`,
      "--cached-only",
      entry,
      ...args,
    ],
    cwd: Deno.env.get("HOME"),
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("a build needs JSX to be compiled for Preact", async () => {
  await using made = await project({ "deno.json": "{}" });
  await assert.rejects(() => new Builder({ root: made.root }).build(), /jsxImportSource/);
});

Deno.test("a build fails with the file and line of an island that does not compile", async () => {
  await using made = await project({ "islands/Broken.tsx": "export default () => <b>;\n" });
  await assert.rejects(
    () => new Builder({ root: made.root }).build(),
    /Cannot bundle the islands: .*Broken/,
  );
});

Deno.test("a build prints one line and writes the server, the snapshot and the scripts", async () => {
  await using made = await project(FILES);
  const printed = await build(made.root);
  assert.equal(printed.length, 1);
  assert.match(printed[0] ?? "", /^Built 2 routes, 1 islands and \d static files/);

  const out = join(made.root, "_fresh");
  const files = (await filesBelow(out)).map((file) =>
    file.replace(/js\/[0-9a-f]{40}\//, "js/ID/").replace(/chunk-\w+/, "chunk-HASH")
  );
  assert.deepEqual([...new Set(files)], [
    "compiled-entry.js",
    "islands.js",
    "server.js",
    "snapshot.js",
    "static/_fresh/js/ID/Counter.js",
    "static/_fresh/js/ID/chunk-HASH.js",
    "static/_fresh/js/ID/fresh-runtime.js",
    "static/style.css",
  ]);
});

Deno.test("what a build writes names no path of the machine", async () => {
  await using made = await project(FILES);
  await build(made.root);
  const out = join(made.root, "_fresh");
  for (const file of await filesBelow(out)) {
    const text = await Deno.readTextFile(join(out, file));
    assert.ok(!text.includes(made.root) && !text.includes(Deno.cwd()), file);
  }
});

Deno.test("a second build leaves nothing of the first behind", async () => {
  await using made = await project(FILES);
  await build(made.root);
  await build(made.root);
  const folders = await Array.fromAsync(Deno.readDir(join(made.root, "_fresh/static/_fresh/js")));
  assert.equal(folders.length, 1);
});

Deno.test("the id of a build is made from the commit, so that it is the same everywhere", async () => {
  const known = Deno.env.get("GITHUB_SHA");
  Deno.env.set("GITHUB_SHA", "0123456789");
  try {
    await using made = await project(FILES);
    await build(made.root);
    const snapshot = await import(pathToFileURL(join(made.root, "_fresh/snapshot.js")).href);
    assert.equal(snapshot.version, "87acec17cd9dcd20a716cc2cf67417b71c8a7016");
  } finally {
    if (known === undefined) Deno.env.delete("GITHUB_SHA");
    else Deno.env.set("GITHUB_SHA", known);
  }
});

Deno.test("importing the server listens to nothing; its fetch answers, with read rights alone", async () => {
  await using made = await project(FILES);
  await build(made.root);
  const code = `
    import server from "./_fresh/server.js";
    const get = async (path) => await server.fetch(new Request("http://localhost" + path));
    const html = await (await get("/")).text();
    const [, script] = /from"([^"]*)"/.exec(html);
    console.log(JSON.stringify({
      html: html.includes("<b>1</b>"),
      script: (await get(script)).status,
      text: await (await get("/a.txt")).text(),
      again: await (await get("/a.txt")).text(),
      missing: (await get("/missing")).status,
      loadedBefore: globalThis.lazyLoads ?? 0,
      lazy: [await (await get("/lazy")).text(), await (await get("/lazy")).text()],
    }));`;
  assert.deepEqual(JSON.parse(await run(made.root, code)), {
    html: true,
    script: 200,
    text: "a",
    again: "a",
    missing: 404,
    loadedBefore: 0,
    lazy: ["1", "1"],
  });
});

Deno.test("one build serves any base path that is set when the server starts", async () => {
  await using made = await project(FILES);
  await build(made.root);
  const code = `
    import server from "./_fresh/server.js";
    const get = async (path) => await server.fetch(new Request("http://localhost" + path));
    const [, script] = /from"([^"]*)"/.exec(await (await get(Deno.args[0] || "/")).text());
    console.log(script.replace(/js.*/, ""), (await get(script)).status);`;
  assert.equal(await run(made.root, code, ""), "/_fresh/ 200");
  assert.equal(await run(made.root, code, "/base"), "/base/_fresh/ 200");
  assert.equal(await run(made.root, code, "/a/b"), "/a/b/_fresh/ 200");
});

Deno.test("a registered module is an island, wherever it lies", async () => {
  await using made = await project({
    "elsewhere/Far.tsx": `export default () => <u />;`,
    "routes/index.tsx": `import Far from "../elsewhere/Far.tsx"; export default () => <Far />;`,
  });
  const { App } = await import("fresh");
  const builder = new Builder({ root: made.root });
  builder.registerIsland(pathToFileURL(join(made.root, "elsewhere/Far.tsx")).href);
  const attach = await builder.build({ snapshot: "memory" });
  const app = new App().fsRoutes();
  attach(app);
  const html = await (await app.handler()(new Request("http://localhost/"))).text();
  assert.match(html, /<!--frsh:island:Far:0:--><u><\/u><!--\/frsh:island-->/);
  assert.equal(app.config.root, made.root);
});

Deno.test("files of packages are served beside the scripts, forever", async () => {
  await using made = await project({
    "routes/index.tsx": `export default () => <u />;`,
    "packages/lib/worker.js": "work()",
    "packages/data/a/b.bin": "b",
  });
  const { App, staticFiles } = await import("fresh");
  const builder = new Builder({
    root: made.root,
    scriptAssets: { "lib/worker.mjs": "packages/lib/worker.js", "lib/data": "packages/data" },
  });
  const attach = await builder.build({ snapshot: "memory" });
  const app = new App().use(staticFiles()).fsRoutes();
  attach(app);
  const folder = `http://localhost/_fresh/js/${builder.config.buildId}/lib`;
  const worker = await app.handler()(new Request(`${folder}/worker.mjs`));
  assert.equal(await worker.text(), "work()");
  assert.match(worker.headers.get("content-type") ?? "", /^text\/javascript/);
  assert.match(worker.headers.get("cache-control") ?? "", /immutable/);
  const data = await app.handler()(new Request(`${folder}/data/a/b.bin`));
  assert.equal(await data.text(), "b");
});

Deno.test("the folders and the server entry can have other names", async () => {
  await using made = await project({
    "app/pages/index.tsx": `export default () => <p>other</p>;`,
    "app/server.ts": `
      import { App } from "fresh";
      export const app = new App().fsRoutes();`,
  });
  const builder = new Builder({
    root: join(made.root, "app"),
    routeDir: "pages",
    outDir: "../out",
    serverEntry: "server.ts",
  });
  const { log } = console;
  console.log = () => {};
  try {
    await builder.build();
  } finally {
    console.log = log;
  }
  const { default: server } = await import(pathToFileURL(join(made.root, "out/server.js")).href);
  const response: Response = await server.fetch(new Request("http://localhost/"));
  assert.match(await response.text(), /<p>other<\/p>/);
});
