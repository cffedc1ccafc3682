/** The editor by keys alone and by thumb, and without barriers. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { editAlone, openText, stateIs, textOf, write } from "../../support/browser/editor.ts";
import { entry, eventually, listingAwake } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });
const code = '/** Greets. */\nexport function greet(name: string) {\n  return "Hello" + 42;\n}\n';

test(
  "a text is found, changed, searched and left by keys alone",
  { tree: { "greet.ts": code } },
  async ({ page, folder, address }) => {
    await editAlone(page);
    const { keyboard } = page;
    await listingAwake(page);
    await entry(page, "greet.ts").focus();
    await keyboard.press("Enter");
    const text = textOf(page, "greet.ts");
    await page.locator("[role=textbox]:focus").waitFor();
    await page.getByText("TypeScript", { exact: true }).waitFor();

    await keyboard.press("Alt+g");
    await page.locator(".cm-panel input:focus").waitFor();
    await keyboard.type("3");
    await keyboard.press("Enter");
    await page.getByRole("button", { name: "Ln 3, Col 1" }).waitFor();
    await keyboard.press("Control+h");
    await page.getByRole("textbox", { name: "Replace with" }).waitFor();
    assert.equal(await page.locator("*:focus").getAttribute("name"), "replace");
    await keyboard.type("farewell");
    await keyboard.press("Shift+Tab");
    await page.getByRole("textbox", { name: "Find" }).fill("");
    await keyboard.type("greet");
    await page.locator(".cm-searchMatch").first().waitFor();
    await page.getByRole("button", { name: "Replace all" }).focus();
    await keyboard.press("Enter");
    await text.getByText("farewell(").waitFor();
    await keyboard.press("ControlOrMeta+s");
    await stateIs(page, "Saved");
    assert.match(await Deno.readTextFile(join(folder, "greet.ts")), /function farewell\(/);

    await page.getByRole("textbox", { name: "Find" }).focus();
    await keyboard.press("Escape");
    await page.locator("[role=textbox]:focus").waitFor();
    await keyboard.press("Tab");
    await stateIs(page, "Unsaved changes");
    await keyboard.press("ControlOrMeta+z");
    await stateIs(page, "Saved");
    await keyboard.press("Escape");
    await keyboard.press("Tab");
    assert.equal(await page.locator("[role=textbox]:focus").count(), 0, "Tab leaves after Esc");
    await keyboard.press("Escape");
    await page.waitForURL(address);
    await entry(page, "greet.ts").waitFor();
    // Leaving it was going back, so that the way back does not lead into it again.
    await page.goForward();
    await text.waitFor();
  },
);

test(
  "a text is read from right to left where it is written so, and long lines wrap or do not",
  { tree: { "two ways.txt": `\u0645\u0631\u062d\u0628\u0627 one\n${"word ".repeat(40_000)}\n` } },
  async ({ page, address }) => {
    await editAlone(page);
    const text = await openText(page, address, "two ways.txt");
    const direction = (index: number) =>
      text.locator(".cm-line").nth(index).evaluate((line) => getComputedStyle(line).direction);
    assert.deepEqual([await direction(0), await direction(1)], ["rtl", "ltr"]);
    const isWider = () =>
      page.locator(".cm-scroller").evaluate((area) => area.scrollWidth > area.clientWidth);
    assert.equal(await isWider(), false);
    await page.getByRole("button", { name: "Wrap long lines" }).click();
    await eventually(isWider);
    await page.reload();
    await text.waitFor();
    await eventually(isWider);
  },
);

test(
  "a text is changed by thumb: the tools are at the bottom, and large enough",
  { device: "phone", tree: { "pocket.txt": "one\n" } },
  async ({ page, folder, address }) => {
    await editAlone(page);
    const text = await openText(page, address, "pocket.txt");
    const tools = page.getByRole("toolbar", { name: "Editor tools" });
    const { y = 0, height = 0 } = await tools.boundingBox() ?? {};
    assert.ok(y + height > 800, `the tools end at ${y + height}`);
    for (const tool of await tools.locator("button, a").all()) {
      const box = await tool.boundingBox();
      assert.ok(box && box.width >= 40 && box.height >= 40, await tool.innerHTML());
    }
    await text.tap();
    await write(page, text, "two");
    await tools.getByRole("button", { name: "Save" }).tap();
    await stateIs(page, "Saved");
    assert.equal(await Deno.readTextFile(join(folder, "pocket.txt")), "one\ntwo");
    const beyond = await page.evaluate(() =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth
    );
    assert.equal(beyond, 0, "the page is wider than the screen");
    await page.getByRole("button", { name: "Back to folder" }).tap();
    await page.waitForURL(address);
  },
);

test(
  "a Markdown text is shown as the page that it describes, with what is unsaved",
  { tree: { "read.md": "# Hello\n" } },
  async ({ page, address }) => {
    await editAlone(page);
    await page.goto(`${address}read.md`);
    await page.getByRole("heading", { name: "Hello" }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const text = textOf(page, "read.md");
    await text.waitFor();
    await write(page, text, "\nand **welcome**");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("heading", { name: "Hello" }).waitFor();
    await page.locator("strong", { hasText: "welcome" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Edit" }).click();
    await text.getByText("**welcome**").waitFor();
    await stateIs(page, "Unsaved changes");
  },
);

async function assertNoBarriers(page: Page, where: string): Promise<void> {
  assert.deepEqual(await findBarriers(page), [], where);
}

for (const look of [{ scheme: "light" }, { scheme: "dark", device: "phone" }] as const) {
  test(
    `no barrier stands in the editor (${look.scheme})`,
    {
      ...look,
      tree: { "greet.ts": code, "broken.txt": Uint8Array.of(0xff, 0xfe, 0x61, 0, 0, 0xd8) },
      expected: [404, 412],
    },
    async ({ page, folder, address }) => {
      await editAlone(page);
      await openText(page, address, "broken.txt");
      await assertNoBarriers(page, "read-only");
      const text = await openText(page, address, "greet.ts");
      await text.locator("span").first().waitFor();
      await assertNoBarriers(page, "text");
      await page.getByRole("button", { name: "Find and replace (Ctrl+F)" }).click();
      await page.getByRole("textbox", { name: "Find" }).pressSequentially("greet");
      await page.locator(".cm-searchMatch").first().waitFor();
      await assertNoBarriers(page, "find");
      await write(page, text, "// mine\n");
      await Deno.writeTextFile(join(folder, "greet.ts"), code.replace("42", "43"));
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("textbox", { name: "Your version" }).waitFor();
      await assertNoBarriers(page, "conflict");
      await page.getByRole("button", { name: "Save as…" }).click();
      await page.getByRole("dialog", { name: "Save as" }).waitFor();
      await assertNoBarriers(page, "another name");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Back to editing" }).click();
      await page.getByText("Someone else changed this file").waitFor();
      await assertNoBarriers(page, "changed meanwhile");
      await page.getByRole("button", { name: "Back to folder" }).click();
      const question = page.getByRole("dialog", { name: "Save changes to “greet.ts”?" });
      await question.waitFor();
      await assertNoBarriers(page, "question before leaving");
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "detached" });
      await Deno.remove(join(folder, "greet.ts"));
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("was moved or deleted").waitFor();
      await assertNoBarriers(page, "deleted meanwhile");
    },
  );
}
