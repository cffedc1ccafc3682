import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { islandsAwake } from "../../support/browser/awake.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { addUser, share, tokenFor } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ workerCounts: [1] });
const tree = { album: { "sea.txt": "The sea" } };

const { SHOTS } = Deno.env.toObject();

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Share “album”" });

/** Opens the prompt for the album by its own button. */
async function openPrompt(page: Page) {
  await page.getByRole("link", { name: "album" }).hover();
  await page.getByRole("button", { name: "Share “album”" }).click();
  const prompt = dialogOf(page);
  return { prompt, people: prompt.getByRole("combobox", { name: "Add people or groups" }) };
}

/** The shares of the album, as the server has them. */
async function sharesOf(server: RunningServer, address: string) {
  const token = await tokenFor(server, server.username, server.password);
  const path = `${address.replace("/files", "")}album`;
  const answer = await fetch(`${server.url}/api/share${path}`, { headers: { "x-auth": token } });
  return await answer.json();
}

/** Lets calls to an address wait until the returned function is called. */
async function delay(page: Page, address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await intercept(page, address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test("a colleague gets access in three clicks: Share, the suggestion, Share", {
  tree,
}, async ({ page, server, address }) => {
  await addUser(server, "colleague three");
  const { prompt, people } = await openPrompt(page);
  await people.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("colle");
  await prompt.getByRole("option", { name: "colleague three" }).click();
  await prompt.getByRole("radio", { name: "Only these people", checked: true }).waitFor();
  await shoot(page, "people-chosen");
  await prompt.getByRole("button", { name: "Share", exact: true }).click();
  await prompt.getByText("Only for colleague three").waitFor();
  await prompt.getByRole("button", { name: "Copy link" }).or(
    prompt.getByRole("button", { name: "Copied" }),
  ).waitFor();
  const [made] = await sharesOf(server, address);
  assert.deepEqual(made.audience, [{ name: "colleague three", may: "download" }]);
  assert.equal(made.anyone, undefined);
});

test("by keys alone people are found, given rights, and anyone let in besides", {
  tree,
}, async ({ page, server, address }) => {
  await addUser(server, "keys one");
  await addUser(server, "keys two");
  await page.getByRole("link", { name: "album" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+F10");
  await page.locator("[role=menuitem]:focus").waitFor();
  await page.keyboard.press("s");
  await page.keyboard.press("Enter");
  const prompt = dialogOf(page);
  const people = prompt.getByRole("combobox", { name: "Add people or groups" });
  await people.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("keys");
  await prompt.getByRole("option", { name: "keys two" }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await prompt.getByRole("option", { name: "keys two", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  const right = (name: string) => prompt.getByRole("combobox", { name: `What ${name} can do` });
  await right("keys two").waitFor();
  // The first of those that are offered, without an arrow.
  await page.keyboard.type("keys o");
  await prompt.getByRole("option", { name: "keys one" }).waitFor();
  await page.keyboard.press("Enter");
  await right("keys one").waitFor();
  await page.keyboard.press("Backspace");
  await right("keys one").waitFor({ state: "detached" });
  await people.and(page.locator(":focus")).waitFor();
  await right("keys two").selectOption({ label: "Can edit" });
  await prompt.getByRole("radio", { name: "Only these people" }).focus();
  await page.keyboard.press("ArrowDown");
  await prompt.getByRole("radio", { name: "Anyone with the link", checked: true }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("Enter");
  await prompt.getByText("Anyone with the link, and keys two (Can edit)").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  const [made] = await sharesOf(server, address);
  assert.deepEqual([made.audience, made.anyone], [[{ name: "keys two", may: "edit" }], true]);
});

test("a share that is edited loses nothing, and takes what is changed", {
  tree,
}, async ({ page, server, address }) => {
  await addUser(server, "edited one");
  await addUser(server, "edited two");
  const path = `${address.replace("/files", "")}album`;
  await share(server, path, {
    ...{ password: "open sesame", expires: 5, unit: "days", name: "edited", downloadLimit: 7 },
    ...{ linkPreview: true, notify: true, anyone: true },
    audience: [{ name: "edited one", may: "upload" }, { name: "edited two", may: "view" }],
  });
  const stable = async () => {
    const [{ token: _, ...rest }] = await sharesOf(server, address);
    return rest;
  };
  const before = await stable();
  const { prompt } = await openPrompt(page);
  await prompt.getByRole("button", { name: "Edit link" }).click();
  const editor = page.getByRole("dialog", { name: "Edit link" });
  const link = editor.getByRole("textbox", { name: "Copy link" });
  assert.match(await link.inputValue(), /\/share\/edited$/);
  await editor.getByRole("radio", { name: "Anyone with the link", checked: true }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await shoot(page, "edit");
  await editor.getByRole("button", { name: "Save" }).click();
  await prompt.getByText("Anyone with the link, and edited one (Can add files)").waitFor();
  assert.deepEqual(await stable(), before);

  await prompt.getByRole("button", { name: "Edit link" }).click();
  await editor.getByRole("button", { name: "Remove edited two" }).click();
  await editor.getByText("Only these people").click();
  await editor.getByRole("button", { name: "Save" }).click();
  await prompt.getByText("Only for edited one (Can add files)").waitFor();
  const { anyone: _, ...kept } = before;
  const audience = [{ name: "edited one", may: "upload" }];
  assert.deepEqual(await stable(), { ...kept, audience });

  // The people of a share that are taken away do not open it for anyone.
  await prompt.getByRole("button", { name: "Edit link" }).click();
  await editor.getByRole("button", { name: "Remove edited one" }).click();
  await editor.getByRole("radio", { name: "Only these people", checked: true }).waitFor();
  await editor.getByRole("button", { name: "Save" }).click();
  await prompt.getByText("Only for –").waitFor();
  assert.deepEqual(await stable(), { ...kept, audience: [] });
});

test("another link is made beside the first, or not", { tree }, async (fixture) => {
  const { page, server, address } = fixture;
  await share(server, `${address.replace("/files", "")}album`);
  const { prompt, people } = await openPrompt(page);
  await prompt.getByRole("button", { name: "Copy link" }).and(page.locator(":focus")).waitFor();
  await shoot(page, "one-link");
  await prompt.getByRole("button", { name: "Create another link" }).click();
  await people.and(page.locator(":focus")).waitFor();
  await prompt.getByRole("button", { name: "Cancel" }).click();
  await prompt.getByRole("button", { name: "Create another link" }).waitFor();
  await people.fill("nobody,");
  await prompt.getByRole("button", { name: "Remove nobody" }).waitFor();
  await prompt.getByRole("button", { name: "Cancel" }).click();
  await prompt.getByRole("button", { name: "Create another link" }).click();
  await prompt.getByRole("button", { name: "Create link" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".links__row").length === 2);
  assert.equal((await sharesOf(server, address)).length, 2);
});

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(`what still loads shows it, and no form before it is known (${device}, ${scheme})`, {
    tree,
    device,
    scheme,
    expected: [500],
  }, async ({ page, server, address }) => {
    await share(server, `${address.replace("/files", "")}album`);
    const answer = await delay(page, /\/api\/share\//);
    const open = async () => {
      if (device === "desktop") return void await openPrompt(page);
      await page.getByRole("button", { name: "Actions for album" }).click();
      await page.getByRole("menuitem", { name: "Share" }).click();
    };
    await open();
    const prompt = dialogOf(page);
    const loading = page.locator("[aria-busy=true]").filter({ hasText: "Loading…" });
    await prompt.locator(loading).waitFor();
    const early = prompt.getByRole("button", { name: /^Create|^Share$/ });
    assert.equal(await early.count(), 0);
    assert.equal(await prompt.getByRole("combobox").count(), 0);
    assert.deepEqual(await findBarriers(page), [], "loading");
    await shoot(page, `loading-${device}`);
    answer();
    await prompt.getByRole("button", { name: "Create another link" }).waitFor();
    assert.equal(await prompt.locator(loading).count(), 0);
    await shoot(page, `loaded-${device}`);
    await page.keyboard.press("Escape");
    await page.unroute(/\/api\/share\//);

    await intercept(page, /\/api\/share\//, (route) => route.fulfill({ status: 500 }));
    await open();
    await prompt.getByRole("alert").first().waitFor();
    assert.equal(await early.count(), 0);
    assert.deepEqual(await findBarriers(page), [], "failed");
    await shoot(page, `failed-${device}`);
    await page.unroute(/\/api\/share\//);
    await prompt.getByRole("button", { name: "Try again" }).press("Enter");
    await prompt.getByRole("button", { name: "Create another link" }).waitFor();
    await prompt.locator(":focus").waitFor();
    await page.keyboard.press("Escape");
  });
}

test("recent actions and notifications show that they load, and try again", {
  tree,
  expected: [500],
}, async ({ page }) => {
  await islandsAwake(page);
  const panels = [
    ["Recent actions", /\/api\/jobs/, "Nothing to undo yet."],
    ["Notifications", /\/api\/notifications/, /./],
  ] as const;
  for (const [name, address, text] of panels) {
    const panel = page.getByRole("dialog", { name });
    const opener = page.getByRole("button", { name }).first();
    const answer = await delay(page, address);
    await opener.click();
    const loading = panel.locator("[aria-busy=true]").filter({ hasText: "Loading…" });
    await loading.waitFor();
    assert.deepEqual(await findBarriers(page), [], name);
    await shoot(page, `loading-${name}`);
    answer();
    await loading.waitFor({ state: "detached" });
    await panel.getByText(text).first().waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await page.unroute(address);
    await intercept(page, address, (route) => route.fulfill({ status: 500 }));
    await opener.click();
    await panel.getByRole("alert").first().waitFor();
    assert.deepEqual(await findBarriers(page), [], name);
    await page.unroute(address);
    await panel.getByRole("button", { name: "Try again" }).press("Enter");
    await panel.getByRole("button", { name: "Try again" }).waitFor({ state: "detached" });
    await panel.locator(":focus").waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  }
});

test("on a phone a dialog is a sheet at the bottom, whose buttons share a row", {
  tree,
  device: "phone",
}, async ({ page, server, address }) => {
  await share(server, `${address.replace("/files", "")}album`);
  const measure = (prompt: ReturnType<typeof dialogOf>) =>
    prompt.evaluate((dialog) => {
      const box = dialog.getBoundingClientRect();
      const buttons = [...dialog.querySelectorAll(".prompt__acts > .button")]
        .map((button) => button.getBoundingClientRect());
      const small = [...dialog.querySelectorAll<HTMLElement>("button, select, label, summary")]
        .filter((each) => each.checkVisibility() && !each.matches(".field__label, .check__label"))
        .filter((each) => each.getBoundingClientRect().height < 39.5)
        .map((each) => each.outerHTML.slice(0, 99));
      return {
        sides: [box.left, innerWidth - box.right, Math.round(innerHeight - box.bottom)],
        rows: new Set(buttons.map(({ top }) => Math.round(top))).size,
        small,
      };
    });
  await page.getByRole("button", { name: "Actions for album" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  const prompt = dialogOf(page);
  await prompt.getByRole("button", { name: "Create another link" }).waitFor();
  await page.waitForFunction(() =>
    document.querySelector("dialog.prompt")?.getAnimations().length === 0
  );
  assert.deepEqual(await measure(prompt), { sides: [0, 0, 0], rows: 2, small: [] });
  await prompt.getByRole("button", { name: "Create another link" }).tap();
  await prompt.getByRole("combobox", { name: "Add people or groups" }).fill("somebody,");
  await prompt.getByRole("button", { name: "Share", exact: true }).waitFor();
  assert.deepEqual(await measure(prompt), { sides: [0, 0, 0], rows: 1, small: [] });
  await shoot(page, "sheet-form");
});

test("nobody requests files or shares without the right to, and folders alone have requests", {
  tree: { ...tree, "note.txt": "" },
  signedIn: true,
}, async ({ page }) => {
  await page.getByRole("link", { name: "note.txt" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Share" }).waitFor();
  assert.equal(await page.getByRole("menuitem", { name: "Request files" }).count(), 0);
  await page.keyboard.press("Escape");
  await page.mouse.click(1200, 760, { button: "right" });
  await page.getByRole("menuitem", { name: "Request files" }).click();
  const prompt = page.getByRole("dialog", { name: /^Request files for/ });
  await prompt.getByRole("button", { name: "Create link" }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
});
