import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { App, staticFiles } from "fresh";
import { Builder } from "fresh/dev";
import { openBrowser } from "../support/browser/browser.ts";
import { open, type OpenPage, started } from "./support/browser.ts";

const ROOT = join(import.meta.dirname ?? "", "fixture");

let browser: Browser;
let server: Deno.HttpServer<Deno.NetAddr>;

Deno.test.beforeAll(async () => {
  const app = new App({ basePath: "/base" }).use(staticFiles()).fsRoutes();
  const attach = await new Builder({ root: ROOT }).build({ snapshot: "memory" });
  attach(app);
  server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, app.handler());
  browser = await openBrowser();
});

Deno.test.afterAll(async () => {
  await browser.close();
  await server.shutdown();
});

function urlOf(path: string): string {
  return `http://127.0.0.1:${server.addr.port}/base${path}`;
}

/** The browser and the server are shared, which the sanitizers of a single test cannot know. */
function inBrowser(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

/** Checks a page whose islands have started. */
function onPage(name: string, path: string, check: (open: OpenPage) => Promise<void>): void {
  inBrowser(name, async () => {
    await using opened = await open(browser, urlOf(path));
    await started(opened.page);
    await check(opened);
  });
}

onPage("islands start under a strict policy, below a base path", "/", async (opened) => {
  const { page, errors } = opened;
  const [first, second] = [page.locator("button").first(), page.locator("button").last()];
  await page.locator("#appeared").waitFor();
  await first.click();
  await first.click();
  await second.click();
  assert.equal(await first.textContent(), "5");
  assert.equal(await second.textContent(), "14");
  assert.deepEqual(errors, []);
});

onPage(
  "starting an island keeps its elements and removes the comments",
  "/",
  async ({ page }) => {
    await page.locator("#appeared").waitFor();
    const html = await page.innerHTML("main");
    assert.doesNotMatch(html, /<!--/);
    assert.match(html, /^<button type="button">3<\/button> <button type="button">13<\/button>/);
    assert.match(html, /<i class="local">local<\/i>$/);
  },
);

onPage("a signal that two islands are given is one signal", "/signals", async ({ page }) => {
  const [left, right] = [page.locator("#left"), page.locator("#right")];
  assert.equal(await left.textContent(), "1 of 2");
  await left.click();
  await right.click();
  await page.waitForFunction(() => document.querySelector("#left")?.textContent === "3 of 2");
  assert.equal(await right.textContent(), "3 of 2");
});

onPage(
  "markup of the server stays inside an island, with islands of its own",
  "/slots",
  async (opened) => {
    const { page, errors } = opened;
    const form = page.locator("form");
    await form.evaluate((element) => element.setAttribute("data-mark", "kept"));
    const counter = page.locator(".content button:not(.toggle)");
    await counter.click();
    assert.equal(await counter.textContent(), "2");
    assert.equal(await page.locator("svg").getAttribute("viewBox"), "0 0 1 1");
    assert.equal(await page.locator("input").getAttribute("draggable"), "false");

    const toggle = page.locator(".toggle").first();
    assert.equal(await toggle.innerHTML(), "<em>First</em>");
    await toggle.click();
    await form.waitFor({ state: "detached" });
    await toggle.click();
    await form.waitFor();
    assert.equal(await page.locator("input").inputValue(), "initial");
    assert.equal(await counter.textContent(), "1");
    assert.equal(
      await page.locator("path").evaluate((path) => path.namespaceURI),
      "http://www.w3.org/2000/svg",
    );
    assert.deepEqual(errors, []);
  },
);

onPage(
  "an island in markup that another island shows later starts then",
  "/slots?closed",
  async ({ page }) => {
    const [outer, second] = [page.locator(".toggle").first(), page.locator(".toggle").last()];
    assert.equal(await page.locator("form").count(), 0);
    await outer.click();
    await page.locator("form").waitFor();
    const inner = page.locator(".content .toggle");
    await inner.click();
    const deepest = page.locator(".content .content button");
    await deepest.click();
    assert.equal(await deepest.textContent(), "8");
    assert.equal(await second.innerHTML(), "<em>Second</em>");
  },
);

inBrowser("what a visitor typed before the islands start is kept", async () => {
  const release = Promise.withResolvers<void>();
  await using opened = await open(browser, urlOf("/slots"), async (page) => {
    await page.route("**/fresh-runtime.js", async (route) => {
      await release.promise;
      await route.continue();
    });
  });
  const { page } = opened;
  await page.locator("input").fill("typed");
  release.resolve();
  await started(page);
  await page.locator(".content button:not(.toggle)").click();
  assert.equal(await page.locator(".content button:not(.toggle)").textContent(), "2");
  assert.equal(await page.locator("input").inputValue(), "typed");
});

onPage("ids that islands make are their own", "/slots", async ({ page }) => {
  await page.locator(".toggle").first().click();
  await page.locator(".toggle").first().click();
  const ids = await page.locator(".toggle").evaluateAll((toggles) =>
    toggles.map((toggle) => toggle.getAttribute("aria-controls"))
  );
  assert.equal(ids.length, 3);
  assert.equal(new Set(ids).size, 3);
});

onPage("Head works inside an island, and follows it", "/head", async ({ page, errors }) => {
  const preload = page.locator('link[data-key="dot"]');
  assert.equal(await page.locator("title").count(), 1);
  await page.locator('[data-where="browser"]').waitFor();
  await page.locator("#more").click();
  await page.waitForFunction(() => document.title === "Count 1");
  assert.equal(await page.locator('meta[name="count"]').getAttribute("content"), "1");
  assert.equal(await page.locator('meta[name="count"]').count(), 1);
  assert.match(
    await preload.getAttribute("href") ?? "",
    /^\/base\/dot\.png\?__frsh_c=[0-9a-f]{40}$/,
  );
  assert.equal(await preload.count(), 1);
  assert.equal(
    await page.locator("img").getAttribute("src"),
    await preload.getAttribute("href"),
  );
  assert.deepEqual(errors, []);
});

onPage(
  "props arrive in the browser as the server sent them",
  "/props",
  async ({ page, errors }) => {
    await page.waitForFunction(() => document.querySelector("#seen")?.textContent !== "");
    const [rendered, seen] = await Promise.all([
      page.locator("#rendered").textContent(),
      page.locator("#seen").textContent(),
    ]);
    assert.equal(seen, rendered);
    assert.match(
      seen ?? "",
      /text:string\(<\/script><script>globalThis\.broken = 1<\/script><!--\)/,
    );
    assert.match(seen ?? "", /Date\(NaN\).*holes:\[number\(1\),hole,number\(3\)\]/);
    assert.equal(await page.evaluate(() => Reflect.has(globalThis, "broken")), false);
    assert.deepEqual(errors, []);
  },
);

onPage(
  "an island whose markup the browser repairs is reported; the others start",
  "/nesting",
  async (opened) => {
    const { page, errors } = opened;
    const button = page.locator("button");
    await button.click();
    assert.equal(await button.textContent(), "6");
    assert.equal(await page.locator(".block").textContent(), "block");
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? "", /Cannot start island "Block": its markup is invalid/);
  },
);

onPage("a page without islands loads no script", "/plain", async ({ page }) => {
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType("resource").map((entry) => entry.name)
  );
  assert.deepEqual(loaded.filter((name) => name.endsWith(".js")), []);
});
