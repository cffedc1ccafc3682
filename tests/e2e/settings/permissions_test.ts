import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Permissions } from "../../../lib/shared/schemas/rights.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { openText, stateIs, textOf, write } from "../../support/browser/editor.ts";
import { entry, listingAwake, rowOf, showAs } from "../../support/browser/listing.ts";
import { quarters } from "../../support/data/pictures.ts";
import { addUser, enterAs } from "../../support/browser/settings.ts";
import { browserTests, type Fixture } from "../../support/browser/browser_tests.ts";

const test = browserTests({ alone: true, workerCounts: [1] });
const picture = new Uint8Array(await quarters(40, 30).png().toBuffer());
const tree = { docs: {}, "a.txt": "one\n", "sea.png": picture };
const none = {
  ...{ admin: false, create: false, delete: false, download: false },
  ...{ execute: false, modify: false, rename: false, share: false },
} satisfies Permissions;

/** Signs in as somebody who may do no more than this, and opens the folder of the test. */
async function enter(
  { page, server, address }: Fixture,
  perm: Partial<Permissions>,
): Promise<void> {
  const name = `user of ${address.replaceAll("/", " ").trim()}`;
  await addUser(server, name, { perm: { ...none, ...perm } });
  await enterAs(page, name);
  await page.goto(address);
  await listingAwake(page);
}

/** What can be pressed in a part of the page, by name. */
async function buttonsOf(page: Page, role: "banner" | "complementary" | "menu"): Promise<string> {
  const part = page.getByRole(role);
  const names = await part.getByRole(role === "menu" ? "menuitem" : "button").evaluateAll((all) =>
    all.flatMap((button) => button.getAttribute("aria-label") ?? button.textContent)
  );
  return names.join(", ");
}

test(
  "who may only look is offered nothing else, and keys, drags and the clipboard do nothing",
  { signedIn: false, tree },
  async (fixture) => {
    const { page } = fixture;
    await enter(fixture, {});
    assert.equal(await page.getByRole("button", { name: /New|Upload|Download/ }).count(), 0);
    await entry(page, "a.txt").click({ button: "right" });
    await page.getByRole("menu").waitFor();
    assert.equal(await buttonsOf(page, "menu"), "Open, Add to favorites, Details");
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });

    const calls: string[] = [];
    page.on("request", (request) => {
      if (!["GET", "HEAD"].includes(request.method())) calls.push(request.url());
    });
    for (const key of ["F2", "Delete", "ControlOrMeta+s", "ControlOrMeta+x", "ControlOrMeta+v"]) {
      await page.keyboard.press(key);
    }
    await entry(page, "a.txt").dragTo(entry(page, "docs"));
    await page.keyboard.press("F1");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.waitFor();
    assert.equal(await page.getByRole("dialog").count(), 1);
    assert.equal(await help.getByText("Rename").count(), 0);
    assert.deepEqual(calls, []);
  },
);

test(
  "a text that may be read but not changed says so, and takes no letter",
  { signedIn: false, tree },
  async (fixture) => {
    const { page, address } = fixture;
    await enter(fixture, { download: true });
    const text = await openText(page, address, "a.txt");
    await stateIs(page, "Read-only");
    await page.getByText("You can view this file, but not edit it.").waitFor();
    await write(page, text, "more");
    assert.equal((await text.innerText()).trim(), "one");
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Download" }).count(), 1);
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Back to folder" }).click();
    await entry(page, "sea.png").dblclick();
    await page.locator(".viewer__picture:not([data-loading])").waitFor();
    await page.getByRole("button", { name: "Download" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /Rename|Delete/ }).count(), 0);
  },
);

test(
  "who may not have what files hold is told so, and sees no picture of it",
  { signedIn: false, tree },
  async (fixture) => {
    const { page, address } = fixture;
    await enter(fixture, { ...none, modify: true, rename: true });
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/\/api\/(?:raw|preview)\//.test(request.url())) asked.push(request.url());
    });
    await showAs(page, "mosaic gallery");
    assert.equal(await rowOf(page, "sea.png").locator("img").count(), 0);
    for (const name of ["a.txt", "sea.png"]) {
      await page.goto(`${address}${name}`);
      await page.locator(name === "a.txt" ? ".sheet" : ".viewer").waitFor();
      await page.getByText("You don’t have permission to view this file.").waitFor();
      assert.equal(await textOf(page, name).count(), 0);
      assert.equal(await page.getByRole("link", { name: /Open|Download/ }).count(), 0);
      assert.deepEqual(await findBarriers(page), []);
    }
    assert.deepEqual(asked, []);
  },
);
