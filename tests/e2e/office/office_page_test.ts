import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { openBrowser, type PageOptions, visit } from "../../support/browser/browser.ts";
import { signIn } from "../../support/browser/browser_tests.ts";
import { eventually } from "../../support/browser/listing.ts";
import { chooseHere } from "../../support/browser/prompts.ts";
import { smallTargets } from "../../support/browser/touch.ts";
import { type EditorMood, startEditorHost } from "../../support/office/editor_host.ts";
import {
  editorOpened,
  frameOf,
  heard,
  inEditor,
  saved,
  textOf,
  unsaved,
} from "../../support/office/office_page.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import type { RunningServer } from "../../support/server/server.ts";

const office = startEditorHost();
let browser: Browser;
let app: TestApp;
/** A server without an office server. */
let plain: TestApp;

Deno.test.beforeAll(async () => {
  browser = await openBrowser();
  const names = [
    "letter",
    "open",
    "asked",
    "shared",
    "other",
    "people",
    "viewed",
    "away",
    "keys",
    "team-desktop",
    "team-phone",
  ];
  app = await startApp({
    config: { office: { url: office.url, publicUrl: office.url } },
    tree: { docs: Object.fromEntries(names.map((name) => [`${name}.docx`, `the ${name}`])) },
    inProcess: true,
    islands: true,
  });
  plain = await startApp({ tree: { "a.odt": "text" }, inProcess: true, islands: true });
  await app.addUser("friend");
  await app.addUser("reader", { perm: { modify: false, rename: false } });
});
Deno.test.afterAll(async () => {
  await browser.close();
  await app.close();
  await plain.close();
  await office[Symbol.asyncDispose]();
});

interface Scene extends Partial<PageOptions> {
  mood?: EditorMood;
  /** By default the administrator; null for a visitor. */
  as?: string | null;
  /** By default the one with an office server. */
  at?: () => TestApp;
}

function test(
  sentence: string,
  { mood = "usual", as, at = () => app, ...options }: Scene,
  body: (page: Page) => Promise<void>,
): void {
  Deno.test({
    name: sentence,
    // The browser keeps connections to the server in this process from one test to the next.
    ...{ sanitizeOps: false, sanitizeResources: false },
    fn: async () => {
      const { url } = at().listen();
      office.mood = mood;
      await visit(browser, { others: [office.url], ...options, url }, async (page) => {
        const who = as ? { username: as, password: userPassword } : at().admin;
        if (as !== null) await signIn(page, { ...who, url } as RunningServer, "/files/");
        await body(page);
      });
    },
  });
}

const { SHOTS } = Deno.env.toObject();

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

/** Opens a document, and waits until its editor is there. */
async function open(page: Page, name: string): Promise<void> {
  await page.goto(`/office/docs/${name}`);
  await editorOpened(page);
}

const onDisk = (name: string) => Deno.readTextFile(join(app.root, "docs", name));

for (const scheme of ["light", "dark"] as const) {
  for (const device of ["desktop", "phone", "tablet"] as const) {
    test(`a document opens in the office server's editor (${device}, ${scheme})`, {
      ...{ device, scheme },
    }, async (page) => {
      await page.goto("/files/docs/open.docx");
      await shoot(page, `viewer-${device}-${scheme}`);
      await page.getByRole("link", { name: "Edit" }).click();
      await page.waitForURL("**/office/docs/open.docx");
      assert.equal(await textOf(page).inputValue(), "the open");
      await saved(page).waitFor();
      await heard(page, "Get_Views");
      assert.match(await page.title(), /^open\.docx/);
      const [last] = office.asked.filter((address) => address.startsWith("/editor/")).slice(-1);
      assert.match(last ?? "", new RegExp(`ui=en&thm=${scheme === "dark" ? 2 : 1}`));
      assert.doesNotMatch(office.asked.join("\n"), /access_token/);
      const [post] = office.posted.slice(-1);
      assert.ok(Number(post?.ttl) > Date.now());
      const markup = await page.content();
      assert.ok(post && !markup.includes(post.token), "the token stays in no document");
      assert.deepEqual(await findBarriers(page), []);
      if (device !== "desktop") assert.deepEqual(await smallTargets(page), []);
      await shoot(page, `office-${device}-${scheme}`);
    });
  }
}

test("what is typed is unsaved until it is saved; closing saves it first", {}, async (page) => {
  await page.goto("/files/docs/");
  await open(page, "letter.docx");
  await textOf(page).fill("a first change");
  await unsaved(page).waitFor();
  await frameOf(page).getByRole("button", { name: "Save" }).click();
  await saved(page).waitFor();
  assert.equal(await onDisk("letter.docx"), "a first change");
  await textOf(page).fill("a second change");
  await unsaved(page).waitFor();
  await page.getByRole("button", { name: "Back to folder" }).click();
  await page.waitForURL("**/files/docs/?show=letter.docx");
  assert.equal(await onDisk("letter.docx"), "a second change");
  await page.goBack();
  await page.waitForURL("**/files/docs/", { timeout: 5_000 });
});

test("closing asks when a save fails, and stays at a no", { mood: "full" }, async (page) => {
  await open(page, "asked.docx");
  await textOf(page).fill("lost");
  await unsaved(page).waitFor();
  await frameOf(page).getByRole("button", { name: "Close" }).click();
  const prompt = page.getByRole("dialog", { name: "Close “asked.docx” without saving?" });
  await prompt.waitFor();
  await heard(page, "Blur_Focus");
  await shoot(page, "office-unsaved");
  await prompt.getByRole("button", { name: "Cancel" }).click();
  await prompt.waitFor({ state: "detached" });
  await heard(page, "Grab_Focus");
  assert.match(page.url(), /office\/docs\/asked\.docx$/);
  // Any other way out is warned about by the browser.
  const warned = page.waitForEvent("dialog");
  const going = page.goto("/files/").catch(() => {});
  const dialog = await warned;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
  await going;
  await frameOf(page).getByRole("button", { name: "Close" }).click();
  await prompt.getByRole("button", { name: "Close without saving" }).click();
  await page.waitForURL("**/files/docs/?show=asked.docx");
  assert.equal(await onDisk("asked.docx"), "the asked");
});

// The page notes what was opened a while later, when it may have its new name.
test("the editor's own buttons share, show versions and rename", {
  expected: [404],
}, async (page) => {
  await open(page, "other.docx");
  await frameOf(page).getByRole("button", { name: "Share" }).click();
  await page.getByRole("dialog", { name: "Share “other.docx”" }).waitFor();
  await page.keyboard.press("Escape");
  await frameOf(page).getByRole("button", { name: "Versions" }).click();
  await page.getByRole("complementary", { name: "Details" }).getByText("other.docx").first()
    .waitFor();
  await shoot(page, "office-details");
  await frameOf(page).getByRole("button", { name: "Rename" }).click();
  await page.waitForURL("**/office/docs/renamed.docx");
  await page.getByRole("heading", { name: "renamed.docx", level: 1 }).waitFor();
  assert.match(await page.title(), /^renamed\.docx/);
  assert.equal(await textOf(page).inputValue(), "the other", "the editor stays");
  await textOf(page).fill("after the rename");
  await frameOf(page).getByRole("button", { name: "Save" }).click();
  await saved(page).waitFor();
  assert.equal(await onDisk("renamed.docx"), "after the rename");
});

for (const device of ["desktop", "phone"] as const) {
  test(`the head shows who is in the document (${device})`, { device }, async (page) => {
    await open(page, "people.docx");
    assert.equal(await page.locator(".office__people").count(), 0, "nobody else");
    await inEditor(page, (editor) => {
      const names = ["Ada", "Björn", "Chloé", "Dmitri", "<b>Eve</b>"];
      editor.views = [...names, "Ada"].map((UserName, index) => ({
        ...{ ViewId: index + 1, UserName, UserId: UserName },
      }));
      editor.say("View_Added", { ViewId: 2 });
    });
    const people = page.getByRole("img", {
      name: "In this document: Ada, Björn, Chloé, Dmitri, <b>Eve</b>",
    });
    await people.waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await shoot(page, `office-people-${device}`);
    await inEditor(page, (editor) => editor.say("Views_List", [{ ViewId: 1, UserName: "Ada" }]));
    await people.waitFor({ state: "detached" });
  });
}

test("one who may not change a document views it", { as: "reader" }, async (page) => {
  await page.goto("/files/docs/viewed.docx");
  await page.getByRole("link", { name: "View in editor" }).click();
  await page.locator(".viewer__size").getByText("Read-only").waitFor();
  assert.equal(await textOf(page).getAttribute("readonly"), "");
  assert.match(office.asked.filter((each) => each.includes("WOPISrc")).at(-1) ?? "", /^\/viewer\//);
});

test("the menu of a document leads to its editor", {}, async (page) => {
  await page.goto("/files/docs/");
  await page.getByRole("link", { name: "open.docx" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Edit", exact: true }).click();
  await page.waitForURL("**/office/docs/open.docx");
  await textOf(page).waitFor();
});

for (const device of ["desktop", "phone"] as const) {
  test(`a new document is made in the chosen format and opened (${device})`, {
    ...{ device, scheme: device === "phone" ? "dark" : "light" },
  }, async (page) => {
    await page.goto("/files/docs/");
    await chooseHere(page, "New spreadsheet");
    const prompt = page.getByRole("dialog", { name: "New spreadsheet" });
    await prompt.getByLabel("Name").fill(`sums-${device}`);
    await prompt.getByRole("radio", { name: "OpenDocument (.ods)" }).check();
    assert.deepEqual(await findBarriers(page), []);
    await shoot(page, `office-new-${device}`);
    await prompt.getByRole("button", { name: "Create" }).click();
    await page.waitForURL(`**/office/docs/sums-${device}.ods`);
    await textOf(page).waitFor();
    assert.match(await onDisk(`sums-${device}.ods`), /^PK.*mimetypeapplication\/vnd\.oasis/s);
    await page.goto("/files/docs/");
    await chooseHere(page, "New document");
    const next = page.getByRole("dialog", { name: "New document" });
    await next.getByRole("radio", { name: "OpenDocument (.odt)", checked: true }).waitFor();
    await next.getByLabel("Name").fill("  ");
    assert.ok(await next.getByRole("button", { name: "Create" }).isDisabled());
  });
}

test("administrators test the connection, and are told in words", {}, async (page) => {
  await page.goto("/settings/check");
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText(`The office server answers at`).waitFor();
  await page.getByText("Formats to edit: 6 · formats to view: 6").waitFor();
  await page.getByText("It doesn’t sign its requests").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await shoot(page, "office-test");
});

for (
  const [device, scheme] of [["desktop", "dark"], ["phone", "light"], ["phone", "dark"]] as const
) {
  test(
    `without an office server administrators are told how to get one, once (${device}, ${scheme})`,
    {
      ...{ at: () => plain, device, scheme },
    },
    async (page) => {
      await page.goto("/files/a.odt");
      const hint = page.locator(".office-hint");
      await hint.getByText("connect an office server").waitFor();
      assert.equal(await page.getByRole("link", { name: "Edit" }).count(), 0);
      assert.deepEqual(await findBarriers(page), []);
      if (device === "phone") assert.deepEqual(await smallTargets(page), []);
      await shoot(page, `office-hint-${device}-${scheme}`);
      await hint.getByRole("button", { name: "Close" }).click();
      await page.reload();
      await page.getByRole("heading", { name: "a.odt" }).first().waitFor();
      await page.locator(".status").waitFor();
      assert.equal(await hint.count(), 0);
    },
  );
}

test("messages of other windows and origins are ignored", { expected: [404] }, async (page) => {
  await open(page, "open.docx");
  const own = (MessageId: string, Values = {}) =>
    page.evaluate((message) => globalThis.postMessage(message, "*"), {
      ...{ MessageId, Values, SendTime: 1 },
    });
  await own("Doc_ModifiedStatus", { Modified: true });
  await own("UI_Close");
  await own("File_Rename", { NewName: "evil" });
  // A window of the page's own origin, and one of the office server's that is not the frame.
  for (const address of ["about:blank", `${office.url}/other`]) {
    const other = page.waitForEvent("frameattached");
    await page.evaluate((address) => {
      document.body.append(Object.assign(document.createElement("iframe"), { src: address }));
    }, address);
    const frame = await other;
    await frame.waitForURL(address);
    await frame.evaluate(() => {
      for (const MessageId of ["UI_Close", "UI_Share"]) {
        const message = { MessageId, SendTime: 1, Values: {} };
        globalThis.parent.postMessage(JSON.stringify(message), "*");
      }
    });
  }
  // What is no message of the protocol is nothing, either.
  await inEditor(page, (editor) => {
    const send = (data: unknown) => globalThis.parent.postMessage(data, "*");
    for (const each of ["{", "[]", "null", 7, null, { MessageId: 7 }, "x".repeat(200_000)]) {
      send(each);
    }
    send({ MessageId: "Views_List", Values: [null, 7, { ViewId: {} }, { UserName: 7 }] });
    send({ MessageId: "File_Rename", Values: { NewName: "../../evil" } });
    send({ MessageId: "File_Rename", Values: { NewName: "none-such" } });
    editor.say("Doc_ModifiedStatus", { Modified: "true" });
  });
  await unsaved(page).waitFor();
  assert.match(page.url(), /office\/docs\/open\.docx$/);
  assert.equal(await page.getByRole("dialog").count(), 0);
  await inEditor(page, (editor) => editor.say("Doc_ModifiedStatus", { Modified: false }));
  await saved(page).waitFor();
});

test("all can be done by the keyboard", {}, async (page) => {
  await open(page, "keys.docx");
  await eventually(() =>
    page.evaluate(() => document.activeElement?.className === "office__frame")
  );
  await textOf(page).press("Shift+Tab");
  const focused = () =>
    page.evaluate(() =>
      document.activeElement?.getAttribute("title") ?? document.activeElement?.tagName
    );
  await eventually(async () => await focused() === "Details");
  const seen: unknown[] = [];
  for (let step = 0; step < 4; step++) {
    seen.push(await focused());
    await page.keyboard.press("Shift+Tab");
  }
  assert.deepEqual(seen.slice(0, 3), ["Details", "Download", "Share"]);
  await page.getByRole("button", { name: "Back to folder" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/files/docs/?show=keys.docx");
});

async function share(name: string, terms: Record<string, unknown>): Promise<string> {
  const json = { password: "", ...terms };
  const made = await app.call("POST", `/api/share/${name}`, {
    token: await app.tokenOf("admin"),
    json,
  });
  const { hash } = await made.json();
  return hash;
}

test("a visitor of a share views a document, and may not save", { as: null }, async (page) => {
  const hash = await share("docs/shared.docx", {});
  await page.goto(`/share/${hash}/`);
  await page.locator(".viewer__acts").getByRole("link", { name: "View in editor" }).click();
  await page.waitForURL(`**/share/${hash}/?office`);
  assert.equal(await textOf(page).inputValue(), "the shared");
  assert.equal(await textOf(page).getAttribute("readonly"), "");
  await page.locator(".viewer__size").getByText("Read-only").waitFor();
  assert.equal(await page.getByRole("button", { name: "Share", exact: true }).count(), 0);
  assert.deepEqual(await findBarriers(page), []);
  await shoot(page, "office-share-visitor");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.waitForURL(`**/share/${hash}/`);
});

test("a share with a password asks for it first", { as: null, expected: [401] }, async (page) => {
  const hash = await share("docs/shared.docx", { password: "open sesame" });
  await page.goto(`/share/${hash}/?office`);
  await page.getByLabel("Password", { exact: true }).fill("open sesame");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/share/${hash}/?office`);
  assert.equal(await textOf(page).inputValue(), "the shared");
});

for (const device of ["desktop", "phone"] as const) {
  test(`one who may edit a share edits its document (${device})`, {
    ...{ as: "friend", device, scheme: device === "phone" ? "dark" : "light" },
  }, async (page) => {
    const hash = await share("docs/", { audience: [{ name: "friend", may: "edit" }] });
    const name = `team-${device}.docx`;
    await page.goto(`/share/${hash}/${name}`);
    await page.locator(".viewer__acts").getByRole("link", { name: "Edit" }).click();
    await page.waitForURL(`**/share/${hash}/${name}?office`);
    await textOf(page).fill("by a friend");
    await unsaved(page).waitFor();
    await shoot(page, `office-share-${device}`);
    await page.getByRole("button", { name: "Back to folder" }).click();
    await page.waitForURL(`**/share/${hash}/`);
    assert.equal(await onDisk(name), "by a friend");
  });
}

const troubles: [string, EditorMood, (page: Page) => Promise<void>, number[]][] = [
  ["a page that never arrives", "hanging", async (page) => {
    await page.getByText("The office server doesn’t answer.").waitFor();
    await page.getByRole("link", { name: "Check the server" }).waitFor();
  }, []],
  ["an editor that says nothing", "silent", async (page) => {
    await page.getByRole("alert").getByText("The editor doesn’t respond.").waitFor();
  }, []],
];

for (const [sentence, mood, told, expected] of troubles) {
  test(`${sentence} is told, and tried again`, { mood, expected }, async (page) => {
    await page.clock.install();
    const before = office.posted.length;
    await page.goto("/office/docs/away.docx");
    await eventually(() => office.posted.length > before);
    if (mood === "silent") await textOf(page).waitFor();
    await page.clock.runFor(35_000);
    await told(page);
    assert.deepEqual(await findBarriers(page), []);
    await shoot(page, `office-${mood}`);
    office.mood = "usual";
    await page.getByRole("button", { name: "Try again" }).click();
    await textOf(page).waitFor();
    await page.getByText("The office server doesn’t answer.").waitFor({ state: "detached" });
  });
}
