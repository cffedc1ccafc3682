import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { SERVER } from "../../../lib/server/core/access/viewer.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { openBrowser, type PageOptions, visit } from "../../support/browser/browser.ts";
import { signIn } from "../../support/browser/browser_tests.ts";
import { eventually } from "../../support/browser/listing.ts";
import { smallTargets } from "../../support/browser/touch.ts";
import { papers } from "../../support/data/media.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import type { RunningServer } from "../../support/server/server.ts";
import { never, type ProgramReply, startProgramHost } from "../../support/services/program_host.ts";

const made: ProgramReply = { output: papers(["First slide", "Second"]), end: { status: 0 } };
const host = await startProgramHost(made);
const document = "a document";
/** Documents of Word 97 and Excel 97 with the names of newer ones. */
const bytes = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Uint8Array(600));
const old = { "old.docx": bytes, "old.xlsx": bytes };
/** More than can wait, besides those that are converted. */
const queued = Array.from({ length: 30 }, (_, index) => `queue-${index}.odt`);
let browser: Browser;
let app: TestApp;
/** A server without LibreOffice. */
let plain: TestApp;

Deno.test.beforeAll(async () => {
  browser = await openBrowser("whole");
  const tree = Object.fromEntries(
    [
      ...["talk.pptx", "plan.odt", "locked.doc", "cut.odp", "endless.ods", "full.rtf", "off.odt"],
      ...["left.odp", "a.odt", "b.odt", "shared.odt", "seen.odt", "gone.odp"],
      ...queued,
    ].map((name) => [name, document]),
  );
  const options = { inProcess: true, islands: true };
  app = await startApp({
    ...options,
    config: { readerHost: host.readerHost },
    tree: { ...tree, ...old, "empty.odt": "", "next.pdf": made.output },
  });
  plain = await startApp({ ...options, tree: { ...old, "talk.pptx": document } });
});
Deno.test.afterAll(async () => {
  await browser.close();
  await app.close();
  await plain.close();
  await host[Symbol.asyncDispose]();
});

interface Scene extends Partial<PageOptions> {
  /** By default the one with LibreOffice. */
  at?: () => TestApp;
  /** Signs in as this user; null for a visitor. */
  as?: { username: string; password: string } | null;
  /** How LibreOffice answers. */
  reply?: ProgramReply | Promise<ProgramReply>;
}

function test(
  sentence: string,
  { at = () => app, as, reply = made, ...options }: Scene,
  body: (page: Page) => Promise<void>,
): void {
  // The browser keeps connections to the server in this process from one test to the next.
  const unwatched = { sanitizeOps: false, sanitizeResources: false };
  Deno.test({
    name: sentence,
    ...unwatched,
    fn: async () => {
      const served = at();
      const { url } = served.listen();
      host.next = reply;
      await visit(browser, { ...options, url }, async (page) => {
        const who = as === undefined ? served.admin : as;
        if (who) await signIn(page, { ...who, url } as RunningServer, "/files/");
        await body(page);
      });
    },
  });
}

/** The line that screen readers are told. */
const said = (page: Page, text: string) =>
  page.getByRole("status").filter({ hasText: text }).waitFor({ state: "attached" });

/** The message in place of a document. */
const message = (page: Page, text: string) => page.locator(".status").getByText(text).waitFor();

async function hasDownload(page: Page, name: string): Promise<void> {
  const link = page.locator(".status").getByRole("link", { name: "Download" });
  assert.match(await link.getAttribute("href") ?? "", new RegExp(`/${name}(\\?|$)`));
}

/** A browser without a reader of its own, such as that of Android. */
async function withoutReader(page: Page): Promise<void> {
  // The library's worker lies beside the scripts of a built server alone.
  const worker = fileURLToPath(new URL("pdf.worker.mjs", import.meta.resolve("pdfjs-dist")));
  await page.route("**/pdf/pdf.worker.mjs", (route) => route.fulfill({ path: worker }));
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "pdfViewerEnabled", { value: false });
  });
}

for (const device of ["desktop", "phone"] as const) {
  test(
    `a document is announced as it is converted, then its pages are shown (${device})`,
    { device, scheme: device === "phone" ? "dark" : "light" },
    async (page) => {
      const converted = Promise.withResolvers<ProgramReply>();
      host.next = converted.promise;
      const name = device === "phone" ? "talk.pptx" : "plan.odt";
      await withoutReader(page);
      await page.goto(`/files/${name}`);
      await page.locator(".pdf__converting").getByText("Converting…").waitFor();
      await said(page, "Converting…");
      assert.deepEqual(await findBarriers(page), []);
      converted.resolve(made);
      await page.locator(".textLayer").getByText("First slide").waitFor();
      await page.getByText("/ 2").waitFor();
      await said(page, name);
      assert.equal(await page.locator(".pdf__converting").count(), 0);
      assert.deepEqual(await findBarriers(page), []);
      if (device === "phone") assert.deepEqual(await smallTargets(page), []);
      await page.keyboard.press("Escape");
      await page.waitForURL("**/files/");
    },
  );
}

test("a document is shown by the browser's own viewer of PDFs", {}, async (page) => {
  await page.goto("/files/a.odt");
  await page.locator("iframe.viewer__paper").waitFor();
  await eventually(() =>
    page.frames().some((frame) => frame.url().startsWith("chrome-extension://"))
  );
  assert.deepEqual(await findBarriers(page), []);
});

const refusals: [string, string, ProgramReply, RegExp | string][] = [
  [
    "is protected by a password",
    "locked.doc",
    { output: "", end: { status: 1 } },
    "damaged, protected by a password or too large to convert",
  ],
  [
    "breaks off",
    "cut.odp",
    { output: "no PDF", end: { status: 0 } },
    "damaged, protected by a password or too large to convert",
  ],
  [
    "takes too long",
    "endless.ods",
    { output: "", end: { status: 137, stopped: "time" } },
    "too much time or memory",
  ],
  [
    "gives too large a PDF",
    "full.rtf",
    { output: "", end: { status: 137, stopped: "output" } },
    "too much time or memory",
  ],
];
for (const [flaw, name, reply, text] of refusals) {
  test(
    `a document that ${flaw} is refused in words, with a way to save it`,
    { reply },
    async (page) => {
      await page.goto(`/files/${name}`);
      await message(page, String(text));
      await said(page, String(text));
      await hasDownload(page, name);
      assert.deepEqual(await findBarriers(page), []);
    },
  );
}

for (const name of Object.keys(old)) {
  test(`a document of an older format is shown, whatever its name: ${name}`, {}, async (page) => {
    await page.goto(`/files/${name}`);
    await page.locator("iframe.viewer__paper").waitFor();
  });
}

test(
  "a document of an older format is called damaged without LibreOffice",
  { at: () => plain },
  async (page) => {
    await page.goto("/files/old.docx");
    await message(page, "it is damaged or protected by a password");
  },
);

test("an empty document is called empty", {}, async (page) => {
  const before = host.runs.length;
  await page.goto("/files/empty.odt");
  await message(page, "This file is empty");
  assert.equal(host.runs.length, before);
});

test(
  "a document is refused while LibreOffice can't be run, and tried again by hand",
  { expected: [500], reply: { output: "", end: { status: 125, failure: "no room" } } },
  async (page) => {
    await page.goto("/files/off.odt");
    const retry = page.getByRole("button", { name: "Try again" });
    await retry.waitFor();
    await hasDownload(page, "off.odt");
    host.next = made;
    await retry.focus();
    await page.keyboard.press("Enter");
    await page.locator("iframe.viewer__paper").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL("**/files/");
  },
);

test(
  "a document is refused while too many are converted, and tried again by hand",
  { expected: [429], reply: never },
  async (page) => {
    const leaving = new AbortController();
    const { papers, gate } = app.cubby;
    const waiting = queued.map((name) => {
      const source = papers.source(gate.enter(SERVER), parsePath(`/${name}`).path);
      return papers.make(source, "1", leaving.signal).catch(() => {});
    });
    try {
      await page.goto("/files/b.odt");
      await message(page, "busy converting other documents");
      await hasDownload(page, "b.odt");
    } finally {
      leaving.abort();
      await Promise.all(waiting);
    }
    host.next = made;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("iframe.viewer__paper").waitFor();
  },
);

test(
  "leaving a document while it is converted gives that up, by Escape and by a link",
  { reply: never },
  async (page) => {
    let before = host.abandoned;
    let { length } = host.runs;
    await page.goto("/files/left.odp");
    await said(page, "Converting…");
    await eventually(() => host.runs.length > length);
    await page.keyboard.press("Escape");
    await page.waitForURL("**/files/");
    await eventually(() => host.abandoned > before);
    before = host.abandoned;
    length = host.runs.length;
    await page.goto("/files/left.odp");
    await said(page, "Converting…");
    await eventually(() => host.runs.length > length);
    await page.locator(".viewer__folder").click();
    await page.waitForURL("**/files/");
    await eventually(() => host.abandoned > before);
  },
);

test("the next file is opened while a document is converted", { reply: never }, async (page) => {
  const before = host.abandoned;
  const { length } = host.runs;
  await page.goto("/files/gone.odp");
  await said(page, "Converting…");
  await eventually(() => host.runs.length > length);
  host.next = made;
  await page.getByRole("button", { name: "Next" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { level: 1, name: "next.pdf" }).waitFor();
  await page.locator("iframe.viewer__paper[title='next.pdf']").waitFor();
  await eventually(() => host.abandoned > before);
});

test("a server without LibreOffice says so to its users", { at: () => plain }, async (page) => {
  const { url } = plain.listen();
  await plain.addUser("una");
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await signIn(page, { username: "una", password: userPassword, url } as RunningServer, "/files/");
  await page.goto("/files/talk.pptx");
  await message(page, "LibreOffice isn’t installed on the server");
  assert.equal(await page.getByText("Install it and restart").count(), 0);
  assert.equal(await page.getByRole("link", { name: "Check the server" }).count(), 0);
  await hasDownload(page, "talk.pptx");
  assert.deepEqual(await findBarriers(page), []);
});

test(
  "a server without LibreOffice tells administrators how to get it",
  { at: () => plain },
  async (page) => {
    await page.goto("/files/talk.pptx");
    await message(page, "Install it and restart the server");
    await hasDownload(page, "talk.pptx");
    await page.getByRole("link", { name: "Check the server" }).click();
    await page.waitForURL("**/settings/check");
  },
);

async function share(name: string, json: object): Promise<string> {
  const token = await app.tokenOf("admin");
  const answer = await app.call("POST", `/api/share/${name}`, { token, json });
  return (await answer.json()).hash;
}

test("a visitor sees the pages of a shared document", { as: null }, async (page) => {
  await withoutReader(page);
  await page.goto(`/share/${await share("shared.odt", {})}`);
  await page.locator(".textLayer").getByText("First slide").waitFor();
  assert.deepEqual(await findBarriers(page), []);
});

const closed = [
  ["a visitor who may only look", { viewOnly: true }, 0],
  ["a visitor of a share with a limit on downloads", { downloadLimit: 3 }, 1],
] as const;
for (const [who, terms, ways] of closed) {
  test(`${who} gets no pages, and no call is made for them`, { as: null }, async (page) => {
    const calls: string[] = [];
    page.on("request", (request) => calls.push(request.url()));
    await page.goto(`/share/${await share("seen.odt", terms)}`);
    await page.getByRole("heading", { name: "No preview available" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Download" }).count(), ways);
    assert.deepEqual(calls.filter((url) => url.includes("/preview/pdf/")), []);
    assert.deepEqual(await findBarriers(page), []);
  });
}
