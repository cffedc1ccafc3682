/** Documents that visitors without an account edit by a link, under a name of their own. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { openBrowser, type PageOptions, visit } from "../../support/browser/browser.ts";
import { eventually } from "../../support/browser/listing.ts";
import { startEditorHost } from "../../support/office/editor_host.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";

const office = startEditorHost();
const { SHOTS } = Deno.env.toObject();
let browser: Browser;
let app: TestApp;

Deno.test.beforeAll(async () => {
  browser = await openBrowser();
  const names = ["desktop", "phone", "nameless"];
  app = await startApp({
    config: { office: { url: office.url, publicUrl: office.url } },
    tree: { docs: Object.fromEntries(names.map((name) => [`${name}.docx`, `the ${name}`])) },
    inProcess: true,
    islands: true,
  });
});
Deno.test.afterAll(async () => {
  await browser.close();
  await app.close();
  await office[Symbol.asyncDispose]();
});

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

/** Opens the page of a link to edit as a visitor. */
function test(
  sentence: string,
  options: Partial<PageOptions>,
  body: (page: Page, address: string) => Promise<void>,
): void {
  Deno.test({
    name: sentence,
    // The browser keeps connections to the server in this process from one test to the next.
    ...{ sanitizeOps: false, sanitizeResources: false },
    fn: async () => {
      const { url } = app.listen();
      const token = await app.tokenOf("admin");
      const json = { anyoneMay: "edit" };
      const made = await app.call("POST", "/api/share/docs/", { token, json });
      const { hash } = await made.json();
      await visit(browser, { others: [office.url], ...options, url }, async (page) => {
        await body(page, `/share/${hash}`);
      });
    },
  });
}

const textOf = (page: Page) => page.frameLocator(".office__frame").getByLabel("Document");
const onDisk = (name: string) => Deno.readTextFile(join(app.root, "docs", name));
const asking = (page: Page) => page.getByRole("dialog", { name: "What’s your name?" });

/** What the office server is told by the token that was posted last. */
async function lastInfo(): Promise<Record<string, unknown>> {
  const opened = office.asked.findLast((address) => address.startsWith("/editor/")) ?? "";
  const source = new URL(opened, office.url).searchParams.get("WOPISrc") ?? "";
  const { token = "" } = office.posted.at(-1) ?? {};
  const answer = await fetch(`${source}?access_token=${encodeURIComponent(token)}`);
  return await answer.json();
}

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(`a visitor gives a name, and edits a document (${device}, ${scheme})`, {
    ...{ device, scheme },
  }, async (page, address) => {
    const name = `${device}.docx`;
    await page.goto(`${address}/${name}`);
    await page.locator(".viewer__acts").getByRole("link", { name: "Edit" }).click();
    await asking(page).waitFor();
    const before = office.posted.length;
    assert.deepEqual(await findBarriers(page), []);
    await shoot(page, `link-office-name-${device}-${scheme}`);
    await asking(page).getByRole("textbox", { name: "Your name" }).fill("Anna");
    await asking(page).getByRole("button", { name: "Continue" }).click();
    await textOf(page).fill("by a visitor");
    assert.equal(office.posted.length, before + 1, "nothing is opened before the name");
    const info = await lastInfo();
    assert.deepEqual([info.UserFriendlyName, info.IsAnonymousUser], ["Anna (guest)", true]);
    await shoot(page, `link-office-${device}-${scheme}`);
    await page.getByRole("button", { name: "Back to folder" }).click();
    await page.waitForURL(`**${address}/`);
    await eventually(async () => await onDisk(name) === "by a visitor");
    await page.goto(`${address}/${name}?office`);
    assert.equal(await textOf(page).inputValue(), "by a visitor");
    assert.equal(await asking(page).count(), 0, "the name is kept");
  });
}

test("a visitor who gives no name is a guest", {}, async (page, address) => {
  await page.goto(`${address}/nameless.docx?office`);
  await asking(page).getByRole("button", { name: "Cancel" }).click();
  assert.equal(await textOf(page).inputValue(), "the nameless");
  assert.equal((await lastInfo()).UserFriendlyName, "Guest");
});
