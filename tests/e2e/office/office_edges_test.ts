/** Screens of documents at the edges: low windows, other directions, an office server that redirects. */
import assert from "node:assert/strict";
import type { Browser, Locator, Page } from "playwright-core";
import { openBrowser, type PageOptions, visit } from "../../support/browser/browser.ts";
import { signIn } from "../../support/browser/browser_tests.ts";
import { chooseHere } from "../../support/browser/prompts.ts";
import { startEditorHost } from "../../support/office/editor_host.ts";
import { textOf } from "../../support/office/office_page.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { ensurePrograms } from "../../support/run/debian.ts";
import { startNginx } from "../../support/services/proxies.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
import type { RunningServer } from "../../support/server/server.ts";

const office = startEditorHost();
let browser: Browser;
let app: TestApp;
/** A server without an office server. */
let plain: TestApp;

Deno.test.beforeAll(async () => {
  browser = await openBrowser("any", "dejavu", ["--host-resolver-rules=MAP office.test 127.0.0.1"]);
  app = await startApp({
    config: { office: { url: office.url, publicUrl: office.url } },
    tree: { docs: { "a.docx": "text" } },
    inProcess: true,
    islands: true,
  });
  plain = await startApp({ tree: { "a.odt": "text" }, inProcess: true, islands: true });
});
Deno.test.afterAll(async () => {
  await browser.close();
  await app.close();
  await plain.close();
  await office[Symbol.asyncDispose]();
});

interface Scene extends Partial<PageOptions> {
  /** By default the one with an office server. */
  at?: () => TestApp;
}

function test(
  sentence: string,
  { at = () => app, ...options }: Scene,
  body: (page: Page) => Promise<void>,
): void {
  Deno.test({
    name: sentence,
    // The browser keeps connections to the server in this process from one test to the next.
    ...{ sanitizeOps: false, sanitizeResources: false },
    fn: async () => {
      const { url } = at().listen();
      await visit(browser, { others: [office.url], ...options, url }, async (page) => {
        await signIn(page, { ...at().admin, url } as RunningServer, "/files/");
        await body(page);
      });
    },
  });
}

/** The edges of an element within the window, and how much of its content is out of sight. */
const edgesOf = (element: Locator) =>
  element.evaluate((box) => {
    const { left, right, bottom } = box.getBoundingClientRect();
    const hidden = box.scrollHeight - box.clientHeight;
    return { left, right, bottom, hidden };
  });

for (const [width, height] of [[1024, 640], [1280, 560]] as const) {
  test(`the buttons of a new document are in a window of ${height} pixels`, {}, async (page) => {
    await page.setViewportSize({ width, height });
    await page.goto("/files/docs/");
    await chooseHere(page, "New document");
    const prompt = page.getByRole("dialog", { name: "New document" });
    await prompt.getByRole("textbox").fill("letter");
    const { bottom } = await edgesOf(prompt);
    assert.ok(bottom <= height, `the prompt ends at ${bottom}`);
    await prompt.getByRole("button", { name: "Create" }).scrollIntoViewIfNeeded();
    const button = await edgesOf(prompt.getByRole("button", { name: "Create" }));
    assert.ok(button.bottom <= bottom, `the button ends at ${button.bottom}`);
  });
}

test("a tablet shows all of the prompt of a new document, also a fault", {
  device: "tablet",
}, async (page) => {
  await page.goto("/files/docs/");
  await chooseHere(page, "New document");
  const prompt = page.getByRole("dialog", { name: "New document" });
  await prompt.getByRole("textbox").fill("日".repeat(84));
  await prompt.getByText("This name is too long.").waitFor();
  assert.equal((await edgesOf(prompt)).hidden, 0);
});

for (const language of ["en", "ar"]) {
  test(`the hint at an office server has room before its words (${language})`, {
    ...{ at: () => plain, language },
  }, async (page) => {
    await page.goto("/files/a.odt");
    const hint = page.locator(".office-hint");
    await hint.waitFor();
    const [box, words] = [await edgesOf(hint), await edgesOf(hint.locator("p"))];
    const room = language === "ar" ? box.right - words.right : words.left - box.left;
    assert.ok(room >= 16, `${room}`);
  });
}

// Outside of `visit()`, to which blocked frames would be complaints.
Deno.test({
  name: "an office server that redirects is told with the address that it leads to",
  ...{ sanitizeOps: false, sanitizeResources: false },
  fn: async () => {
    const { url } = app.listen();
    await using context = await browser.newContext({ baseURL: url });
    const page = await context.newPage();
    await signIn(page, { ...app.admin, url } as RunningServer, "/files/");
    office.mood = "moved";
    await page.goto("/office/docs/a.docx");
    const elsewhere = `http://localhost:${new URL(office.url).port}`;
    await page.getByText(`The office server leads to ${elsewhere}, which isn’t`).waitFor();
    office.mood = "usual";
    await page.getByRole("button", { name: "Try again" }).click();
    await textOf(page).waitFor();
  },
});

Deno.test({
  name: "on a page of https an office server of http is told at once",
  ...{ sanitizeOps: false, sanitizeResources: false },
  fn: async () => {
    await ensurePrograms({ nginx: "nginx" }, "pages of https");
    await using folder = await temporaryFolder();
    const publicUrl = office.url.replace("127.0.0.1", "office.test");
    await using mixed = await startApp({
      config: { office: { url: office.url, publicUrl } },
      tree: { "a.docx": "text" },
      inProcess: true,
      islands: true,
    });
    const { host } = new URL(mixed.listen().url);
    await using proxy = await startNginx(host, folder.path);
    await using context = await browser.newContext({
      baseURL: proxy.url,
      ignoreHTTPSErrors: true,
    });
    const page = await context.newPage();
    await signIn(page, { ...mixed.admin, url: proxy.url } as RunningServer, "/files/");
    await page.goto("/office/a.docx");
    const told = page.getByText("This browser can’t load the editor.");
    // Far less than the time in which a page has to arrive.
    await told.waitFor({ timeout: 15_000 });
  },
});
