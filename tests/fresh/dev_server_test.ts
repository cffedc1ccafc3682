import assert from "node:assert/strict";
import { join } from "node:path";
import { App, staticFiles } from "fresh";
import { Builder } from "fresh/dev";
import { openBrowser } from "../support/browser/browser.ts";
import { open } from "./support/browser.ts";
import { project, quietConsole } from "./support/project.ts";

const FILES: Record<string, string> = {
  "main.ts": `
    import { App, staticFiles } from "fresh";
    export const app = new App({ basePath: "/base" }).use(staticFiles()).fsRoutes();`,
  "dev.ts": `
    import { Builder } from "fresh/dev";
    await new Builder({ root: import.meta.dirname }).listen(() => import("./main.ts"), {
      hostname: "127.0.0.1",
      port: Number(Deno.args[0]),
      onListen: () => console.log("listening"),
    });`,
  "static/a.txt": "first",
  "routes/index.tsx": `export default () => <p id="text">first</p>;`,
};

/** A port below those that systems hand out, so that no other test is given it meanwhile. */
function freePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** Starts the development server of a project in a process of its own. */
async function start(root: string, port: number): Promise<AsyncDisposable> {
  const config = join(import.meta.dirname ?? "", "../../deno.json");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", `--config=${config}`, join(root, "dev.ts"), String(port)],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { done } = await reader.read();
  assert.ok(!done, "the development server ended");
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
    },
  };
}

Deno.test("the development server waits for the build, and says when the build fails", async () => {
  await using made = await project({ ...FILES, "islands/Broken.tsx": "export default () => <b>;" });
  const stop = new AbortController();
  const app = new App().use(staticFiles()).fsRoutes();
  const listening = new Builder({ root: made.root }).listen(() => Promise.resolve(app), {
    hostname: "127.0.0.1",
    port: 0,
    signal: stop.signal,
    onListen() {},
  });
  await assert.rejects(listening, /Cannot bundle the islands/);
  stop.abort();
});

Deno.test("pages of the development server load the runtime, and nothing is kept", async () => {
  using _console = quietConsole();
  await using made = await project(FILES);
  const stop = new AbortController();
  let port = 0;
  const app = new App({ basePath: "/base" }).use(staticFiles()).fsRoutes();
  await new Builder({ root: made.root }).listen(() => Promise.resolve({ app }), {
    hostname: "127.0.0.1",
    port: 0,
    signal: stop.signal,
    onListen: (address) => void (port = address.port),
  });
  const base = `http://127.0.0.1:${port}/base`;
  assert.equal(app.config.mode, "development");
  assert.match(await (await fetch(`${base}/`)).text(), /<script type="module"[^>]*>import{boot}/);

  const first = await fetch(`${base}/a.txt`);
  assert.equal(await first.text(), "first");
  assert.match(first.headers.get("cache-control") ?? "", /no-store/);
  await Deno.writeTextFile(join(made.root, "static/a.txt"), "second");
  const second = await fetch(`${base}/a.txt`);
  assert.equal(await second.text(), "second");
  assert.notEqual(second.headers.get("etag"), first.headers.get("etag"));

  const alive = await fetch(`${base}/_frsh/alive`);
  assert.equal(alive.status, 501);
  await alive.body?.cancel();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/base/_frsh/alive`);
  const message = await new Promise<string>((resolve) => {
    socket.addEventListener("message", ({ data }) => resolve(data));
  });
  assert.equal(JSON.parse(message).type, "initial-state");
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  socket.close();
  await closed;
  stop.abort();
});

Deno.test({
  name: "an open page reloads when the process has restarted",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await using made = await project(FILES);
    const port = freePort();
    const browser = await openBrowser();
    try {
      const first = await start(made.root, port);
      const told = Promise.withResolvers<void>();
      const url = `http://127.0.0.1:${port}/base/`;
      await using opened = await open(browser, url, (page) => {
        page.on("websocket", (socket) => socket.on("framereceived", () => told.resolve()));
        return Promise.resolve();
      });
      const { page } = opened;
      await told.promise;
      assert.equal(await page.locator("#text").textContent(), "first");

      await first[Symbol.asyncDispose]();
      await Deno.writeTextFile(
        join(made.root, "routes/index.tsx"),
        `export default () => <p id="text">second</p>;`,
      );
      await using _second = await start(made.root, port);
      await page.getByText("second").waitFor();
    } finally {
      await browser.close();
    }
  },
});
