import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually } from "../../support/browser/listing.ts";
import { isTold } from "../../support/browser/news.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { browserTests, type Fixture } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

/** Saves a file of the test's folder as another program does. */
async function save({ page, address, server }: Fixture, name: string, body: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("jwt")) ?? "";
  const base = new URL(address, server.url).pathname.replace(/^\/files/, "");
  const url = `${server.url}/api/resources${base}${name}`;
  const saved = await fetch(url, { method: "PUT", headers: { "x-auth": token }, body });
  await saved.body?.cancel();
  assert.equal(saved.status, 200);
}

test(
  "a replaced file has its previous versions in the details, and takes the first one back",
  { tree: { "a.txt": "first" } },
  async (fixture) => {
    const { page, folder } = fixture;
    await save(fixture, "a.txt", "second, and longer");
    await entry(page, "a.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Details" }).click();
    const dialog = page.getByRole("complementary", { name: "Details" });
    await dialog.getByRole("heading", { name: "Previous versions" }).waitFor();
    const first = dialog.getByRole("listitem").getByText("5 bytes", { exact: true });
    await first.waitFor();
    assert.deepEqual(await findBarriers(page), []);

    for (let count = 1; count <= 50; count++) await save(fixture, "a.txt", `and ${count} times`);
    await first.waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Show more" }).press("Enter");
    await first.waitFor();
    const restoring = dialog.getByRole("button", { name: /^Restore the version until/ });
    assert.equal(await restoring.count(), 51);
    await dialog.getByRole("listitem").last().locator("button:focus").first().waitFor();
    await save(fixture, "a.txt", "once more");
    await restoring.nth(51).waitFor();
    await restoring.last().press("Enter");
    await isTold(page, "1 item restored");
    assert.equal(await Deno.readTextFile(join(folder, "a.txt")), "first");
  },
);

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(
    `a previous version is compared with the file, and put in its place (${device}, ${scheme})`,
    { tree: { "a.txt": "one\ntwo\nthree\n", "b.bin": "\0\x01" }, device, scheme },
    async (fixture) => {
      const { page, folder } = fixture;
      await save(fixture, "a.txt", "one\r\n2\r\nthree\r\n");
      await save(fixture, "b.bin", "\0\x02");
      const showDetails = async (name: string) => {
        if (device === "phone") {
          await page.getByRole("button", { name: `Actions for ${name}` }).tap();
        } else await entry(page, name).click({ button: "right" });
        await page.getByRole("menuitem", { name: "Details" }).click();
        await page.getByRole("button", { name: /^Restore the version until/ }).waitFor();
      };
      const compare = page.getByRole("button", { name: /^Compare the version until/ });
      await showDetails("b.bin");
      assert.equal(await compare.count(), 0, "it is no text");
      await page.keyboard.press("Escape");

      await showDetails("a.txt");
      await compare.press("Enter");
      const dialog = page.getByRole("dialog", { name: "a.txt" }).last();
      await dialog.getByRole("textbox", { name: "Current version" }).waitFor();
      const shown = await dialog.locator(".cm-mergeView, .cm-editor").first().innerText();
      assert.match(shown, /two/);
      assert.match(shown, /^2$/m);
      const changed = dialog.locator(".cm-changedLine, .cm-deletedLine");
      await eventually(async () => await changed.count() > 1);
      const lines = new Set(await changed.allInnerTexts());
      assert.deepEqual([...lines], ["two", "2"], "line ends are no change");
      assert.deepEqual(await findBarriers(page), []);
      await dialog.getByRole("textbox", { name: "Current version" }).focus();
      await page.keyboard.type("x");
      assert.equal(await dialog.getByText("x", { exact: true }).count(), 0);

      await page.keyboard.press("Escape");
      await dialog.getByRole("textbox").first().waitFor({ state: "detached" });
      await page.locator("button:focus").and(compare).waitFor();
      await compare.click();
      // It is as large as its text.
      await dialog.getByRole("textbox", { name: "Current version" }).waitFor();
      await dialog.getByRole("button", { name: "Restore", exact: true }).click();
      await isTold(page, "1 item restored");
      await page.getByRole("dialog").first().waitFor({ state: "detached" });
      assert.equal(await Deno.readTextFile(join(folder, "a.txt")), "one\ntwo\nthree\n");
    },
  );
}

test(
  "words that are longer than a line leave both versions beside each other",
  { tree: { "a.json": `["${"x".repeat(30_000)}",1]\n` } },
  async (fixture) => {
    const { page } = fixture;
    await save(fixture, "a.json", `["${"x".repeat(30_000)}",2]\n`);
    await entry(page, "a.json").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Details" }).click();
    await page.getByRole("button", { name: /^Compare the version until/ }).click();
    const dialog = page.getByRole("dialog", { name: "a.json" }).last();
    await dialog.getByRole("textbox", { name: "Current version" }).waitFor();
    const { x = 0, width = 0 } = await dialog.boundingBox() ?? {};
    for (const text of await dialog.getByRole("textbox").all()) {
      const box = await text.boundingBox();
      assert.ok(box && box.width < width / 2 && box.x + box.width <= x + width, `${box?.width}`);
    }
  },
);

test(
  "of versions that differ by the ends of lines alone it is said that they are the same",
  { tree: { "a.txt": "one\ntwo\n" }, device: "phone" },
  async (fixture) => {
    const { page } = fixture;
    await save(fixture, "a.txt", "one\r\ntwo\r\n");
    await page.getByRole("button", { name: "Actions for a.txt" }).tap();
    await page.getByRole("menuitem", { name: "Details" }).tap();
    await page.getByRole("button", { name: /^Compare the version until/ }).tap();
    const dialog = page.getByRole("dialog", { name: "a.txt" }).last();
    const sentence = dialog.getByText("Both versions have the same text.");
    await sentence.waitFor();
    const { height = 0 } = await dialog.boundingBox() ?? {};
    assert.ok(height > 0 && height < 400, `${height}: a sentence needs no whole page`);
    await dialog.getByRole("button", { name: "Cancel" }).tap();
    await sentence.waitFor({ state: "detached" });
  },
);

test(
  "a comparison whose code can't be loaded says so, and is tried again",
  { tree: { "a.txt": "one" }, expected: [0] },
  async (fixture) => {
    const { page } = fixture;
    await save(fixture, "a.txt", "two");
    await entry(page, "a.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Details" }).click();
    await page.getByRole("button", { name: /^Compare the version until/ }).waitFor();
    await intercept(page, "**/*.js", (route) => route.abort());
    await page.getByRole("button", { name: /^Compare the version until/ }).click();
    const dialog = page.getByRole("dialog", { name: "a.txt" }).last();
    const again = dialog.getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unroute("**/*.js");
    await again.press("Enter");
    await dialog.getByRole("textbox", { name: "Current version" }).waitFor();
  },
);

test(
  "on a phone, lines of the previous version have the direction of their text",
  { tree: { "a.txt": "السطر\nline\n" }, device: "phone" },
  async (fixture) => {
    const { page } = fixture;
    await save(fixture, "a.txt", "آخر\nother\n");
    await page.getByRole("button", { name: "Actions for a.txt" }).tap();
    await page.getByRole("menuitem", { name: "Details" }).tap();
    await page.getByRole("button", { name: /^Compare the version until/ }).tap();
    const chunk = page.locator(".cm-deletedChunk").first();
    const [outer, right, left] = await Promise.all([
      chunk.boundingBox(),
      chunk.getByText("السطر").boundingBox(),
      chunk.getByText("line", { exact: true }).boundingBox(),
    ]);
    assert.ok(outer && right && left);
    const middle = outer.x + outer.width / 2;
    assert.ok(right.x > middle && left.x < middle, `${right.x} and ${left.x} around ${middle}`);
  },
);
