import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { islandsAwake } from "../../support/browser/awake.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { rowOf } from "../../support/browser/listing.ts";
import { hearNews } from "../../support/browser/news.ts";
import { share } from "../../support/browser/settings.ts";
import { quarters } from "../../support/data/pictures.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [2] });
const tree = { album: { "sea.txt": "The sea", deep: { "sky.txt": "The sky" } } };

/** Opens the prompt for the one entry of the folder, by the menu. */
async function openPrompt(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Actions for album" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  await page.getByRole("dialog", { name: "Share “album”" }).waitFor();
}

async function linkIn(page: Page): Promise<string> {
  return await page.getByRole("textbox", { name: "Copy link" }).first().inputValue();
}

test("a link is made, opened by a visitor, and deleted", {
  tree,
  device: "phone",
  expected: [404],
}, async ({ page }) => {
  await openPrompt(page);
  await page.getByText("Other…").click();
  const duration = page.getByLabel("Duration");
  await duration.fill("soon");
  const make = page.getByRole("dialog").getByRole("button", { name: "Create link" });
  assert.ok(await make.isDisabled());
  await duration.fill("2");
  await page.getByLabel("Unit").selectOption("days");
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("Enter");
  await page.getByText(/Expires in 2 days|Expires tomorrow|Expires in 1 day/).waitFor();
  const link = await linkIn(page);
  assert.deepEqual(await findBarriers(page), []);

  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  assert.ok(context);
  const visitor = await context.newPage();
  await visitor.goto(link);
  await visitor.getByRole("heading", { name: "album" }).waitFor();
  await visitor.getByRole("link", { name: "deep" }).click();
  await visitor.getByRole("link", { name: "sky.txt" }).click();
  await visitor.getByText("The sky").waitFor();
  const download = visitor.waitForEvent("download");
  await visitor.getByRole("link", { name: "Download" }).click();
  assert.equal((await download).suggestedFilename(), "sky.txt");

  await page.getByRole("button", { name: "Delete share" }).click();
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("radio", { name: "1 week" }).waitFor();
  await visitor.goto(link);
  await visitor.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await visitor.getByText("It may have expired or been removed").waitFor();
  await context.close();
});

test("Share is one move: the link is made, copied and shown, and the row is marked", {
  tree,
}, async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const news = await hearNews(page);
  await page.reload();
  await islandsAwake(page);
  await page.getByRole("link", { name: "album" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Share" }).click();
  await page.getByRole("combobox", { name: "Add people or groups" }).and(page.locator(":focus"))
    .waitFor();
  await page.getByRole("radio", { name: "Anyone with the link", checked: true }).waitFor();
  await page.getByRole("radio", { name: "Never", checked: true }).focus();
  await page.keyboard.press("ArrowLeft");
  assert.ok(await page.getByRole("radio", { name: "1 month" }).isChecked());
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("Enter");
  await news("Link copied!");
  const link = await linkIn(page);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  await page.getByText("Expires in 30 days").waitFor();
  await page.getByRole("button", { name: "QR code" }).click();
  await page.getByRole("img", { name: `QR code for ${link}` }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("Escape");
  const mark = page.getByRole("row", { name: "album" }).getByRole("img", { name: "Shared" });
  await mark.waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.reload();
  await mark.waitFor();
  await islandsAwake(page);
  await page.getByRole("link", { name: "album" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Share" }).click();
  await page.locator("button:focus", { hasText: "Copy link" }).waitFor();
  await page.getByRole("button", { name: "Delete share" }).press("Enter");
  const isSure = page.getByRole("group", { name: "Delete this share?" });
  await isSure.getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("radio", { name: "Never" }).waitFor();
  await page.keyboard.press("Escape");
  await mark.waitFor({ state: "detached" });
});

test("an open picture is shared from the line above it", {
  tree: { "sea.jpg": await quarters(40, 30).jpeg().toBuffer() },
  device: "phone",
}, async ({ page, address }) => {
  await page.goto(`${address}sea.jpg`);
  await page.getByRole("button", { name: "Share" }).tap();
  await page.getByRole("dialog", { name: "Share “sea.jpg”" }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("radio", { name: "Never", checked: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Copy link" }).waitFor();
});

test("a link that the browser does not copy is shown selected", { tree }, async ({ page }) => {
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException("refused", "NotAllowedError"));
    Object.assign(navigator.clipboard, { write: refuse, writeText: refuse });
  });
  await page.reload();
  await islandsAwake(page);
  await page.getByRole("link", { name: "album" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Share" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create link" }).click();
  await page.getByText("The link is selected above").waitFor();
  const link = await linkIn(page);
  await page.waitForFunction((link) => {
    const field = document.activeElement;
    return field instanceof HTMLInputElement &&
      field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0) === link;
  }, link);
  assert.deepEqual(await findBarriers(page), []);
});

test(
  "a link is handed to the apps of the system, where the browser can",
  { tree },
  async (fixture) => {
    const { page } = fixture;
    await page.addInitScript(() => {
      const share = (data: ShareData) => Promise.resolve(document.title = `sent ${data.url}`);
      Object.assign(navigator, { share });
    });
    await page.reload();
    await islandsAwake(page);
    await page.getByRole("link", { name: "album" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Share" }).click();
    await page.getByRole("radio", { name: "Never", checked: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Send with another app" }).click();
    const link = await linkIn(page);
    await page.waitForFunction((link) => document.title === `sent ${link}`, link);
  },
);

test("a visitor opens a share with its password, ticks and downloads", {
  tree,
  device: "phone",
  expected: [401],
}, async ({ page }) => {
  await openPrompt(page);
  await page.getByLabel("Password (optional)").fill("open sesame");
  await page.keyboard.press("Enter");
  await page.getByText("Password-protected").first().waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: /^Copy a direct link \(works/ }).tap();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const direct = await fetch(link);
  await direct.body?.cancel();
  assert.equal(direct.status, 200);
  await page.goto(await linkIn(page));
  assert.deepEqual(await findBarriers(page), []);
  await page.getByLabel("Password").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("Wrong credentials").waitFor();
  await page.getByLabel("Password").fill("open sesame");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "album" }).waitFor();
  await page.waitForLoadState("load"); // Not while rows are still coming.
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("checkbox", { name: "Select sea.txt" }).check();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).click();
  assert.equal((await download).suggestedFilename(), "sea.txt");
  await page.getByRole("checkbox", { name: "Select deep" }).check();
  const archive = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).click();
  assert.equal((await archive).suggestedFilename(), "album.zip");
});

const many = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`${at + 1}.txt`, ""]));

test(
  "more entries come at once, and what is ticked stays so",
  { tree: { many } },
  async (fixture) => {
    const { page, server, address } = fixture;
    const { hash } = await share(server, `${address.replace("/files", "")}many`);
    await page.goto(`/share/${hash}`);
    await page.getByRole("checkbox", { name: "Select 7.txt" }).check();
    await page.getByRole("link", { name: "Show 100 more" }).click();
    await page.locator("a[href$='/101.txt']:focus").waitFor();
    assert.equal(await page.getByRole("checkbox").count(), 130);
    assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 1);
    assert.ok(!await page.getByRole("link", { name: "Show 100 more" }).isVisible());
    await page.getByRole("checkbox", { name: "Select 130.txt" }).click({ modifiers: ["Shift"] });
    assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 124);
  },
);

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(`a visitor ticks, and has done with it by Esc (${device}, ${scheme})`, {
    tree: { album: { "a.txt": "", "b.txt": "", "c.txt": "", "d.txt": "" } },
    device,
    scheme,
  }, async ({ page, server, address }) => {
    const { hash } = await share(server, `${address.replace("/files", "")}album`);
    await page.goto(`/share/${hash}`);
    const tick = (name: string) => page.getByRole("checkbox", { name: `Select ${name}` });
    const ticked = page.getByRole("button", { name: "Download", exact: true });
    assert.ok(!await ticked.isVisible());
    assert.deepEqual(await findBarriers(page), []);
    await tick("a.txt").focus();
    await page.keyboard.press("Space");
    await tick("c.txt").click({ modifiers: ["Shift"] });
    await ticked.waitFor();
    assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 3);
    assert.deepEqual(await findBarriers(page), []);
    await ticked.focus();
    await page.keyboard.press("Escape");
    await ticked.waitFor({ state: "hidden" });
    assert.ok(await tick("c.txt").evaluate((box) => box === document.activeElement));
    assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 0);

    const all = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download all" }).click();
    assert.equal((await all).suggestedFilename(), "album.zip");
    const other = page.waitForEvent("download");
    await page.getByText("Details", { exact: true }).click();
    await page.getByText("Other formats").click();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("link", { name: "tar.gz" }).click();
    assert.equal((await other).suggestedFilename(), "album.tar.gz");
    await page.keyboard.press("Escape");
    await page.getByText("Other formats").waitFor({ state: "hidden" });
  });
}

test("a link is edited: named, limited, for viewing alone", {
  tree,
  device: "phone",
}, async ({ page }) => {
  await openPrompt(page);
  await page.getByRole("radio", { name: "Never", checked: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Edit link" }).click();
  await page.getByRole("radio", { name: "No change", checked: true }).waitFor();
  const name = page.getByLabel("Custom link (optional)");
  await name.fill("a b");
  await page.getByText("Use 3 to 64").waitFor();
  const save = page.getByRole("button", { name: "Save" });
  assert.ok(await save.isDisabled());
  await name.fill("Summer");
  await page.getByLabel("Download limit (optional)").fill("5");
  await page.getByLabel("View only").check();
  assert.deepEqual(await findBarriers(page), []);
  await save.click();
  await page.getByText("Downloads: 0 of 5").waitFor();
  assert.match(await linkIn(page), /\/share\/summer$/);
  await page.keyboard.press("Escape");
  await page.goto(new URL("/shared", page.url()).href);
  await page.getByText("Downloads: 0 of 5").waitFor();
  await page.getByRole("row").filter({ hasText: "/share/summer" })
    .getByRole("button", { name: "Actions for album" }).click();
  await page.getByRole("menuitem", { name: "Edit link" }).click();
  const path = page.getByLabel("Shared file or folder");
  await path.fill(`${await path.inputValue()}/sea.txt`);
  await save.click();
  await page.getByRole("link", { name: "sea.txt" }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
});

test(
  "a shared picture is seen among what one shares",
  {},
  async ({ page, server, address, folder }) => {
    await Deno.writeFile(`${folder}/sea.png`, await quarters(200, 150).png().toBuffer());
    await share(server, `${address.replace("/files", "")}sea.png`);
    await page.goto("/shared");
    await rowOf(page, "sea.png").locator(".thumb img:not([data-blur])").waitFor();
  },
);
