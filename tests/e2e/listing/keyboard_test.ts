import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { temporaryFolder } from "../../support/disks/files.ts";
import {
  entry,
  eventually,
  isChosen,
  listingAwake,
  namesShown,
  typeAhead,
} from "../../support/browser/listing.ts";
import { islandsAwake } from "../../support/browser/awake.ts";
import { hearNews } from "../../support/browser/news.ts";
import { uploadsSettled } from "../../support/browser/uploads.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

/** Presses Tab until the focus is on something of this role, with a name that begins so. */
async function tabTo(page: Page, role: string, name: string): Promise<void> {
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press("Tab");
    if (await isFocused(page, role, name)) return await assertFocusIsSeen(page);
  }
  throw new Error(`Cannot reach ${role} "${name}" with Tab`);
}

async function isFocused(page: Page, role: string, name: string): Promise<boolean> {
  const focused = page.locator("*:focus");
  const snapshot = await focused.count() > 0 ? await focused.ariaSnapshot() : "";
  // A name with a colon comes in quotes.
  return snapshot.replace("- '", "- ").startsWith(`- ${role} "${name}`);
}

async function assertFocusIsSeen(page: Page): Promise<void> {
  const seen = await page.evaluate(() => {
    const isOutlined = (element: Element, pseudo?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element, pseudo);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
    };
    const focused = document.activeElement;
    // The whole row of an entry shows the focus of its link.
    const row = focused?.closest("[role=row]");
    return focused && (isOutlined(focused) || (row && isOutlined(row, "::after")));
  });
  assert.ok(seen, "the focus cannot be seen");
}

test(
  "everything is done without a mouse",
  {
    signedIn: false,
    tree: { docs: { "deep.txt": "" }, "a.txt": "a", "b.txt": "b" },
    // A call still under way when the session ends is refused, and rightly so.
    expected: [401],
  },
  async ({ page, server, folder, address }) => {
    const isTold = await hearNews(page);
    await page.goto(address);
    await page.waitForURL(/\/login/);
    if (!await isFocused(page, "textbox", "Username")) await tabTo(page, "textbox", "Username");
    await page.keyboard.type(server.username);
    await tabTo(page, "textbox", "Password");
    await page.keyboard.type(server.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(address);

    await tabTo(page, "link", "docs");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${address}docs/`);
    // In a folder that has come the focus goes to a row: not after Tab has gone on from there.
    await page.locator("a:focus", { hasText: "deep.txt" }).waitFor();
    await page.goBack();
    await page.waitForURL(address);
    await page.locator("a:focus", { hasText: "docs" }).waitFor();

    await tabTo(page, "button", "New folder");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("made by hand");
    await page.keyboard.press("Enter");
    await isChosen(page, "made by hand");

    await page.getByRole("dialog").waitFor({ state: "detached" });
    await typeAhead(page, "b.t");
    await page.locator("*:focus", { hasText: "b.txt" }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.locator("*:focus", { hasText: "a.txt" }).waitFor();
    await assertFocusIsSeen(page);
    await page.keyboard.press("Delete");
    await page.getByRole("dialog", { name: "Delete “a.txt”?" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Delete");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Enter");
    await entry(page, "a.txt").waitFor({ state: "detached" });
    await isTold("1 item moved to trash");
    assert.deepEqual(
      (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort(),
      ["b.txt", "docs", "made by hand"],
    );

    await page.keyboard.press("ControlOrMeta+a");
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("3 selected").waitFor({ state: "detached" });

    await tabTo(page, "button", "Account: admin");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Account: admin" }).waitFor();
    await tabTo(page, "button", "Sign out");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/login/);
  },
);

test("the first press of Tab leads past the menus", { tree: { "a.txt": "" } }, async (fixture) => {
  const { page, address } = fixture;
  await page.goto(address);
  await tabTo(page, "link", "Skip to files");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#content$/);
  await page.keyboard.press("Tab");
  const inside = await page.evaluate(() => document.activeElement?.closest("main") !== null);
  assert.ok(inside);
});

test("the focus returns when a prompt closes", { tree: { "a.txt": "" } }, async ({ page }) => {
  await tabTo(page, "button", "New folder");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.ok(await isFocused(page, "button", "New folder"));
});

test(
  "the path above the listing leads up again",
  { tree: { one: { two: { three: { "x.txt": "" } } } } },
  async ({ page, folder, address }) => {
    await page.goto(`${address}one/two/three/`);
    const path = page.getByRole("navigation", { name: "Breadcrumbs" });
    assert.equal(await path.getByRole("link").count(), 5);
    assert.equal(await path.locator("[aria-current=page]").innerText(), "three");
    await path.getByRole("link", { name: "two" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${address}one/two/`);
    await entry(page, "three").waitFor();
    assert.ok((await Deno.stat(join(folder, "one", "two", "three"))).isDirectory);
  },
);

test(
  "Ctrl+A selects the entries from wherever the focus is, and never the words of the page",
  { tree: { docs: {}, "a.txt": "", "b.txt": "" } },
  async ({ page, address }) => {
    const marked = () => page.evaluate(() => getSelection()?.toString() ?? "");
    await page.goto(`${address}docs/`);
    await islandsAwake(page);
    await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link").nth(1).click();
    await listingAwake(page);
    await page.locator("a:focus", { hasText: "docs" }).waitFor();
    const seen = new Set<string>();
    for (;;) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => document.activeElement?.outerHTML ?? "");
      if (seen.has(focused)) break;
      seen.add(focused);
      await page.keyboard.press("ControlOrMeta+a");
      await page.getByText("3 selected").waitFor();
      assert.equal(await marked(), "", focused);
      await page.keyboard.press("Escape");
      await page.getByText("3 selected").waitFor({ state: "detached" });
    }
    assert.ok(seen.size > 10, `${seen.size} places were tried`);

    await page.keyboard.press("ControlOrMeta+f");
    const field = page.getByRole("combobox", { name: "Search" });
    await field.fill("docs");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Backspace");
    assert.equal(await field.inputValue(), "");
    await page.keyboard.press("Escape");
    assert.equal(await page.getByText("3 selected").count(), 0);

    await page.goto(`${address}docs/`);
    await page.getByText("It feels lonely here…").waitFor();
    await islandsAwake(page);
    await page.keyboard.press("F1");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("ControlOrMeta+a");
    assert.equal(await marked(), "");
  },
);

test(
  "ordering, choosing a view, uploading, sharing and pasting over a taken name need no mouse",
  { tree: { docs: { "b.txt": "old" }, "a.txt": "a", "b.txt": "new" } },
  async ({ page, folder, address }) => {
    await using outside = await temporaryFolder();
    await Deno.writeTextFile(join(outside.path, "sent.txt"), "sent");
    const { keyboard } = page;
    const shows = (names: string) =>
      eventually(async () => (await namesShown(page)).join(" ") === names);
    await tabTo(page, "button", "Name");
    await keyboard.press("Enter");
    await shows("docs b.txt a.txt");
    await keyboard.press("Enter");
    await shows("docs a.txt b.txt");
    await tabTo(page, "button", "View options");
    await keyboard.press("Enter");
    const view = page.getByRole("dialog", { name: "View options" });
    await view.getByRole("radio", { name: "List" }).and(page.locator(":focus")).waitFor();
    await keyboard.press("ArrowRight");
    await page.locator(".listing[data-view=mosaic]").waitFor();
    await keyboard.press("ArrowRight");
    await page.locator(".listing[data-view='mosaic gallery']").waitFor();
    await keyboard.press("ArrowRight");
    await page.locator(".listing[data-view=list]").waitFor();
    await keyboard.press("Escape");
    await view.waitFor({ state: "detached" });

    const chooser = page.waitForEvent("filechooser");
    // With the end of its name: the sidebar has "New folder".
    await tabTo(page, "button", 'New"');
    await keyboard.press("ArrowDown");
    await page.locator("[role=menuitem]:focus", { hasText: "New folder" }).waitFor();
    await keyboard.press("End");
    await keyboard.press("Home");
    await keyboard.press("u");
    await page.locator("[role=menuitem]:focus", { hasText: "Upload files" }).waitFor();
    await keyboard.press("Enter");
    await (await chooser).setFiles(join(outside.path, "sent.txt"));
    await entry(page, "sent.txt").waitFor();
    await uploadsSettled(page);

    await keyboard.press("b");
    await page.locator("*:focus", { hasText: "b.txt" }).waitFor();
    await keyboard.press("Shift+F10");
    await page.locator("[role=menuitem]:focus").waitFor();
    for (let press = 0; press < 2; press++) await keyboard.press("ArrowDown");
    await page.locator("[role=menuitem]:focus", { hasText: "Share" }).waitFor();
    await keyboard.press("Enter");
    const sharing = page.getByRole("dialog", { name: "Share “b.txt”" });
    await sharing.getByRole("radio", { name: "Never" }).waitFor();
    await keyboard.press("Enter");
    await sharing.getByRole("textbox", { name: "Copy link" }).first().waitFor();
    await keyboard.press("Escape");
    await sharing.waitFor({ state: "detached" });

    await page.locator("*:focus", { hasText: "b.txt" }).waitFor();
    await keyboard.press("ControlOrMeta+c");
    await keyboard.press("Home");
    await keyboard.press("Enter");
    await page.waitForURL(`${address}docs/`);
    await shows("b.txt");
    await keyboard.press("ControlOrMeta+v");
    await page.getByRole("dialog", { name: "“b.txt” already exists" }).waitFor();
    await page.getByRole("button", { name: "Keep both" }).and(page.locator(":focus")).waitFor();
    await keyboard.press("Enter");
    await entry(page, "b(1).txt").waitFor();
    const textOf = (name: string) => Deno.readTextFileSync(join(folder, "docs", name));
    assert.deepEqual(["b.txt", "b(1).txt"].map(textOf), ["old", "new"]);
  },
);
