import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { entry } from "../support/listing.ts";
import { setStage } from "../support/stage.ts";

const play = setStage();

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
  return snapshot.startsWith(`- ${role} "${name}`);
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

play(
  "everything is done without a mouse",
  { signedIn: false, tree: { docs: { "deep.txt": "" }, "a.txt": "a", "b.txt": "b" } },
  async ({ page, server, folder, address }) => {
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
    await entry(page, "deep.txt").waitFor();
    await page.goBack();
    await page.waitForURL(address);

    await tabTo(page, "button", "New folder");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("made by hand");
    await page.keyboard.press("Enter");
    await entry(page, "made by hand").waitFor();

    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.type("b.t");
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
    assert.deepEqual(
      (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort(),
      ["b.txt", "docs", "made by hand"],
    );

    await page.keyboard.press("ControlOrMeta+a");
    await page.getByText("3 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("3 selected").waitFor({ state: "detached" });

    await tabTo(page, "button", "Sign out");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/login/);
  },
);

play("the first press of Tab leads past the menus", { tree: { "a.txt": "" } }, async (scene) => {
  const { page, address } = scene;
  await page.goto(address);
  await tabTo(page, "link", "Skip to the files");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const inside = await page.evaluate(() => document.activeElement?.closest("main") !== null);
  assert.ok(inside);
});

play("the focus returns when a prompt closes", { tree: { "a.txt": "" } }, async ({ page }) => {
  await tabTo(page, "button", "New folder");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.ok(await isFocused(page, "button", "New folder"));
});

play(
  "the path above the listing leads up again",
  { tree: { one: { two: { three: { "x.txt": "" } } } } },
  async ({ page, folder, address }) => {
    await page.goto(`${address}one/two/three/`);
    const path = page.getByRole("navigation", { name: "Path" });
    assert.equal(await path.getByRole("link").count(), 5);
    assert.equal(await path.locator("[aria-current=page]").innerText(), "three");
    await path.getByRole("link", { name: "two" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${address}one/two/`);
    await entry(page, "three").waitFor();
    assert.ok((await Deno.stat(join(folder, "one", "two", "three"))).isDirectory);
  },
);
