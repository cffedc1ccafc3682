import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, isChosen, listingAwake, rowOf } from "../../support/browser/listing.ts";
import { share } from "../../support/browser/settings.ts";
import { browserTests, type Fixture } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

const tree = { "inside.txt": "inside", box: { "kept.txt": "kept" } };
const refusal = "Link that can’t be opened";

/** Adds links: `gone` leads nowhere, `out` out of the root, `far` to a file, `near` to a folder. */
async function addLinks({ page, folder }: Pick<Fixture, "page" | "folder">): Promise<void> {
  const targets = { gone: "nothing", out: "/etc", far: "inside.txt", near: "box" };
  for (const [name, target] of Object.entries(targets)) {
    await Deno.symlink(target, join(folder, name));
  }
  await page.reload();
  await listingAwake(page);
}

/** Steps by the arrow keys to the row of an entry, which selects it. */
async function stepTo({ page }: Pick<Fixture, "page">, name: string): Promise<void> {
  await page.locator('.row__name[tabindex="0"]').focus();
  await page.keyboard.press("Home");
  const focused = page.locator(".row__name:focus");
  for (let steps = 0; await focused.innerText() !== name; steps++) {
    assert.ok(steps < 20, `no row ${name}`);
    await page.keyboard.press("ArrowDown");
  }
}

test("a link that leads nowhere is told apart, and is not opened", { tree }, async (fixture) => {
  const { page, address } = fixture;
  await addLinks(fixture);
  const kinds = (name: string) =>
    rowOf(page, name).locator(".entry-icon").getAttribute("data-kind");
  for (const name of ["gone", "out"]) {
    assert.equal(await kinds(name), "link");
    assert.equal(await rowOf(page, name).locator(".cell--size").innerText(), "");
    await stepTo(fixture, name);
    await page.keyboard.press("Enter");
    await page.getByText(`${name}: ${refusal}`).first().waitFor();
    await page.keyboard.press("ContextMenu");
    const items = page.getByRole("menuitem");
    await items.first().waitFor();
    const offered = ["Rename", "Move to…", "Copy to…", "Details", "Delete"];
    assert.deepEqual(await items.allInnerTexts(), offered);
    await page.getByRole("menuitem", { name: "Details" }).press("Enter");
    const details = page.getByRole("complementary", { name: "Details" });
    await details.getByText(refusal).waitFor();
    assert.equal(await details.getByText("Size").count(), 0);
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Close details" }).click();
    await details.waitFor({ state: "detached" });
    const bar = page.getByRole("group", { name: "Actions for the selection" });
    await bar.getByRole("button", { name: "Delete" }).waitFor();
    assert.equal(await bar.getByRole("button", { name: "Download" }).count(), 0);
  }
  assert.deepEqual([await kinds("far"), await kinds("near")], ["blob", "folder"]);
  assert.equal(new URL(page.url()).pathname, address);
});

test("such a link is renamed, moved and deleted by keys", { tree }, async (fixture) => {
  const { page, folder } = fixture;
  await addLinks(fixture);
  await stepTo(fixture, "out");
  await page.keyboard.press("F2");
  await page.getByRole("dialog").getByRole("textbox").fill("away");
  await page.keyboard.press("Enter");
  await isChosen(page, "away");
  await stepTo(fixture, "away");
  await page.keyboard.press("Control+x");
  await stepTo(fixture, "box");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/box/");
  await entry(page, "kept.txt").waitFor();
  await page.keyboard.press("Control+v");
  await isChosen(page, "away");
  assert.equal(Deno.readLinkSync(join(folder, "box/away")), "/etc");
  await stepTo(fixture, "away");
  await page.keyboard.press("Delete");
  await page.getByRole("dialog", { name: "Delete “away”?" }).waitFor();
  await page.keyboard.press("Enter");
  await eventually(() => [...Deno.readDirSync(join(folder, "box"))].length === 1);
  assert.ok(Deno.statSync("/etc").isDirectory);
});

test("the page of a link that leads nowhere offers no content", { tree }, async (fixture) => {
  const { page, address } = fixture;
  await addLinks(fixture);
  const href = await entry(page, "gone").getAttribute("href");
  assert.equal(href, `${address}gone`);
  await page.goto(`${address}gone`);
  await page.getByRole("article").getByText(refusal).waitFor();
  await page.getByRole("button", { name: "Rename" }).waitFor();
  assert.equal(await page.getByText("0 bytes").count(), 0);
  assert.equal(await page.getByRole("button", { name: "Download" }).count(), 0);
});

test("visitors of a shared folder read that a link can't be opened", { tree }, async (fixture) => {
  const { page, folder, server } = fixture;
  await addLinks(fixture);
  const name = folder.split("/").at(-1) ?? "";
  const { hash } = await share(server, `/${name}`);
  await page.goto(`/share/${hash}`);
  const row = page.getByRole("listitem").filter({ hasText: "gone" });
  await row.getByText(refusal).waitFor();
  await page.goto(`/share/${hash}/gone`);
  await page.getByText(refusal).waitFor();
  assert.equal(await page.getByRole("link", { name: "Download" }).count(), 0);
});
