/** Tokens of documents that stay open for long: renewed, over, and without a session. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { accessTokenMs } from "../../../lib/server/features/office/access_tokens.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { openBrowser, type PageOptions, visit } from "../../support/browser/browser.ts";
import { signIn } from "../../support/browser/browser_tests.ts";
import { eventually } from "../../support/browser/listing.ts";
import { smallTargets } from "../../support/browser/touch.ts";
import { startEditorHost } from "../../support/office/editor_host.ts";
import {
  editorOpened,
  frameOf,
  inEditor,
  saved,
  textOf,
  unsaved,
} from "../../support/office/office_page.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import type { RunningServer } from "../../support/server/server.ts";

const minute = 60_000;
const office = startEditorHost();
let browser: Browser;
let app: TestApp;
let keeper = 0;

Deno.test.beforeAll(async () => {
  browser = await openBrowser();
  const names = ["kept", "ended", "told", "away", "team-desktop", "team-phone"];
  app = await startApp({
    // A session that outlives the token: what ends it here is the token's own time.
    config: { office: { url: office.url, publicUrl: office.url }, tokenLifeMs: 5 * accessTokenMs },
    tree: { docs: Object.fromEntries(names.map((name) => [`${name}.docx`, `the ${name}`])) },
    inProcess: true,
    islands: true,
  });
  await app.addUser("friend");
  keeper = (await app.addUser("keeper")).user.id;
});
Deno.test.afterAll(async () => {
  await browser.close();
  await app.close();
  await office[Symbol.asyncDispose]();
});

function test(
  sentence: string,
  { as = "keeper", ...options }: Partial<PageOptions> & { as?: string },
  body: (page: Page) => Promise<void>,
): void {
  Deno.test({
    name: sentence,
    // The browser keeps connections to the server in this process from one test to the next.
    ...{ sanitizeOps: false, sanitizeResources: false },
    fn: async () => {
      const { url } = app.listen();
      await visit(browser, { others: [office.url], ...options, url }, async (page) => {
        await page.clock.install();
        const who = { username: as, password: userPassword };
        await signIn(page, { ...who, url } as RunningServer, "/files/");
        await body(page);
      });
    },
  });
}

const { SHOTS } = Deno.env.toObject();

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

/** Opens a document. @returns its first token, and its address for the office server */
async function open(page: Page, address: string): Promise<{ token: string; path: string }> {
  await page.goto(address);
  await editorOpened(page);
  const asked = office.asked.findLast((each) => /^\/(editor|viewer)\//.test(each)) ?? "";
  const source = new URL(asked, office.url).searchParams.get("WOPISrc") ?? "";
  return { token: office.posted.at(-1)?.token ?? "", path: new URL(source).pathname };
}

/** The tokens that the editor was handed since it is open, and their ends. */
async function handed(page: Page): Promise<{ token: string; ttl: number }[]> {
  const messages = await inEditor(page, ({ heard }) => heard) as {
    MessageId: string;
    Values: { token: string; ttl: number };
  }[];
  return messages.filter(({ MessageId }) => MessageId === "Reset_Access_Token")
    .map(({ Values }) => Values);
}

/** Waits for the first or next token that the editor is handed. */
async function nextToken(page: Page, count = 1): Promise<{ token: string; ttl: number }> {
  await eventually(async () => (await handed(page)).length >= count);
  return (await handed(page))[count - 1] ?? { token: "", ttl: 0 };
}

/** Lets time pass in the page until the token is asked for again. */
const laterInPage = (page: Page) => page.clock.fastForward(11 * minute);

const statusOf = async (path: string, token: string): Promise<number> => {
  const answer = await app.call("GET", `${path}?access_token=${encodeURIComponent(token)}`);
  await answer.body?.cancel();
  return answer.status;
};

async function save(page: Page): Promise<void> {
  await frameOf(page).getByRole("button", { name: "Save" }).click();
  await saved(page).waitFor();
}

const onDisk = (name: string) => Deno.readTextFile(join(app.root, "docs", name));
const prompt = (page: Page) => page.getByRole("dialog", { name: "Sign in again" });
const notice = (page: Page) =>
  page.getByRole("alert").getByText("Your access to this document couldn’t be renewed.");

test(
  "a token that would end is replaced; the new one saves, the old one is over",
  {},
  async (page) => {
    const { token, path } = await open(page, "/office/docs/kept.docx");
    await textOf(page).fill("typed before");
    await unsaved(page).waitFor();
    let renewed = { token: "", ttl: 0 };
    await app.later(accessTokenMs - 5 * minute, async () => {
      assert.equal(await statusOf(path, token), 200, "it has not ended yet");
      await laterInPage(page);
      renewed = await nextToken(page);
      assert.notEqual(renewed.token, token);
      assert.ok(renewed.ttl > Date.now() + accessTokenMs - minute, "milliseconds since 1970");
    });
    await app.later(accessTokenMs + minute, async () => {
      assert.equal(await statusOf(path, token), 401, "the old token");
      assert.equal(await statusOf(path, renewed.token), 200, "the new token");
      assert.equal(
        await textOf(page).inputValue(),
        "typed before",
        "the editor was not loaded again",
      );
      await save(page);
      assert.equal(await onDisk("kept.docx"), "typed before");
    });
    assert.equal(await notice(page).count(), 0);
    assert.ok(!(await page.content()).includes(renewed.token), "the page keeps no token");
  },
);

test(
  "an editor whose token ends or is refused gets another, also after a rename",
  {},
  async (page) => {
    const { token, path } = await open(page, "/office/docs/told.docx");
    await inEditor(page, ({ say }) => say("App_TokenExpiring", { Timeout: 899_000 }));
    const first = await nextToken(page);
    assert.notEqual(first.token, token);
    await frameOf(page).getByRole("button", { name: "Rename" }).click();
    await page.waitForURL("**/office/docs/renamed.docx");
    await inEditor(page, ({ say }) => say("App_TokenExpired"));
    const second = await nextToken(page, 2);
    assert.notEqual(second.token, first.token);
    assert.equal(await statusOf(path, second.token), 200);
    await textOf(page).fill("under the new name");
    await save(page);
  },
);

test("a page that could not reach the server asks again", { expected: [0] }, async (page) => {
  await open(page, "/office/docs/away.docx");
  await page.route("**/api/office/**", (route) => route.abort(), { times: 1 });
  await laterInPage(page);
  await page.clock.fastForward(minute);
  assert.ok((await nextToken(page)).token);
  assert.equal(await notice(page).count(), 0);
});

for (const scheme of ["light", "dark"] as const) {
  test(
    `a session that has ended gives no token; the page asks to sign in, and goes on (${scheme})`,
    {
      ...{ scheme, device: scheme === "dark" ? "phone" : "desktop", expected: [401] },
    },
    async (page) => {
      const { token, path } = await open(page, "/office/docs/ended.docx");
      const text = `typed by one who was signed out (${scheme})`;
      await textOf(page).fill(text);
      await unsaved(page).waitFor();
      await app.cubby.sessions.endAll(keeper);
      assert.equal(await statusOf(path, token), 401);
      // The editor cannot save, and tells so: the page finds out why.
      await inEditor(page, () => document.getElementById("save")?.click());
      await prompt(page).waitFor();
      assert.deepEqual(await handed(page), []);
      assert.equal(await textOf(page).inputValue(), text, "the document is still there");
      assert.match(page.url(), /office\/docs\/ended\.docx$/);
      assert.deepEqual(await findBarriers(page), []);
      await shoot(page, `office-ended-${scheme}`);
      await prompt(page).getByLabel("Password", { exact: true }).fill(userPassword);
      await page.keyboard.press("Enter");
      await prompt(page).waitFor({ state: "detached" });
      await nextToken(page);
      await save(page);
      assert.equal(await onDisk("ended.docx"), text);
    },
  );
}

for (const device of ["desktop", "phone"] as const) {
  test(`one whose access to a share has ended is told, and keeps the text (${device})`, {
    ...{ as: "friend", device, expected: [401, 403, 404] },
  }, async (page) => {
    const token = await app.tokenOf("admin");
    const json = { password: "", audience: [{ name: "friend", may: "edit" }] };
    const made = await app.call("POST", "/api/share/docs/", { token, json });
    const { hash } = await made.json();
    await open(page, `/share/${hash}/team-${device}.docx?office`);
    await textOf(page).fill("by a friend");
    await unsaved(page).waitFor();
    await laterInPage(page);
    await nextToken(page);
    const change = (audience: unknown) =>
      app.call("PATCH", `/api/share/${hash}`, { token, json: { audience } });
    const ended = await change([{ name: "keeper", may: "edit" }]);
    assert.equal(ended.status, 200);
    await ended.body?.cancel();
    await laterInPage(page);
    await notice(page).waitFor();
    assert.equal((await handed(page)).length, 1, "no further token");
    assert.equal(await textOf(page).inputValue(), "by a friend");
    assert.deepEqual(await findBarriers(page), []);
    if (device === "phone") assert.deepEqual(await smallTargets(page), []);
    await shoot(page, `office-lapsed-${device}`);
    const again = await change([{ name: "friend", may: "edit" }]);
    await again.body?.cancel();
    await page.getByRole("button", { name: "Try again" }).click();
    await nextToken(page, 2);
    await notice(page).waitFor({ state: "detached" });
    await save(page);
    assert.equal(await onDisk(`team-${device}.docx`), "by a friend");
  });
}
