import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { administer } from "../../support/server/administer.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually } from "../../support/browser/listing.ts";
import { addUser, enterAs } from "../../support/browser/settings.ts";
import { uniqueSleep, untilSleepers } from "../../support/probes/processes.ts";
import { browserTests, type Fixture, signIn } from "../../support/browser/browser_tests.ts";

const test = browserTests({
  alone: true,
  workerCounts: [1],
  flags: ["--disable-exec=false"],
});

const panel = (page: Page) => page.getByRole("region", { name: "Shell" });
const field = (page: Page) => panel(page).getByRole("textbox");
const says = (page: Page, text: string | RegExp) =>
  panel(page).getByText(text, { exact: true }).first().waitFor();

/** Waits until a line is among the output. */
async function printed(page: Page, line: RegExp): Promise<void> {
  await eventually(async () => line.test(await panel(page).getByRole("log").innerText()));
}

/** Signs in as somebody who may run these, and opens the folder of the test. */
async function enter({ page, server, address }: Fixture, commands: string[]): Promise<void> {
  await administer(server, { user: { commands } });
  await signIn(page, server, address);
}

async function type(page: Page, line: string): Promise<void> {
  await field(page).fill(line);
  await field(page).press("Enter");
}

/** Presses the shortcut, once the page is awake. */
async function openByKey(page: Page): Promise<void> {
  await eventually(async () => {
    if (await panel(page).isVisible()) return true;
    await page.keyboard.press("Control+Backquote");
    return await panel(page).waitFor({ timeout: 1_000 }).then(() => true, () => false);
  });
}

const colours = [
  "printf '\\033[31mred\\033[0m \\033[1;38;5;208morange\\033[0m \\033[48;2;0;0;120mblue\\033[0m\\n'",
  "printf 'at 10%%\\rat 100%%\\n'",
  "exit 3",
].join("\n");

test(
  "commands run in the folder on screen, in their colours, and tell how they ended",
  {
    signedIn: false,
    tree: { "colours.sh": colours, "a.bin": "\0\0", below: { "deep.txt": "" } },
  },
  async (fixture) => {
    const { page, address } = fixture;
    await enter(fixture, ["sh", "ls", "touch"]);
    await page.getByRole("button", { name: "Shell" }).click();
    await panel(page).waitFor();
    await page.locator("#shell-line:focus").waitFor();
    await type(page, "sh colours.sh");
    await says(page, "Exit status 3");
    await printed(page, /^at 100%$/m);
    const colourOf = (text: string) =>
      panel(page).getByText(text, { exact: true }).evaluate((element) => {
        const { color, backgroundColor, fontWeight } = getComputedStyle(element);
        return `${color} ${backgroundColor} ${fontWeight}`;
      });
    assert.notEqual(await colourOf("red"), await colourOf("orange"));
    assert.match(await colourOf("orange"), /700$/);
    assert.match(await colourOf("blue"), /rgb\(0, 0, 120\)/);
    assert.deepEqual(await findBarriers(page), []);

    await type(page, "rm -rf .");
    await printed(page, /^Cannot run "rm": it is not among your commands$/m);
    await says(page, "Not allowed");

    await type(page, "touch made");
    await entry(page, "made").waitFor();
    await entry(page, "below").dblclick();
    await page.waitForURL(`${address}below/`);
    await entry(page, "deep.txt").waitFor();
    await type(page, "ls");
    await printed(page, /^deep\.txt$/m);

    await page.goBack();
    await panel(page).getByRole("button", { name: "Close shell" }).click();
    await entry(page, "a.bin").dblclick();
    await page.getByRole("region", { name: "Preview of a.bin" }).waitFor();
    await page.keyboard.press("Control+Backquote");
    await page.keyboard.press("Escape");
    await entry(page, "a.bin").waitFor();
    assert.equal(await panel(page).count(), 0, "it opened where nobody could see it");
  },
);

test(
  "the keyboard alone works the shell: what was typed before, the end of a command, its height",
  { signedIn: false, tree: { "a.txt": "" } },
  async (fixture) => {
    const { page } = fixture;
    await enter(fixture, ["sleep", "ls"]);
    await openByKey(page);
    await page.locator("#shell-line:focus").waitFor();
    await page.keyboard.type("ls");
    await page.keyboard.press("Enter");
    await says(page, "Exit status 0");

    const seconds = uniqueSleep();
    await page.keyboard.type(`sleep ${seconds}`);
    await page.keyboard.press("Enter");
    await untilSleepers(seconds, 1);
    await page.keyboard.type("swallowed");
    assert.equal(await field(page).inputValue(), "");
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Control+c");
    await says(page, "Stopped");
    await untilSleepers(seconds, 0);

    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await field(page).inputValue(), "ls");
    await page.keyboard.press("ArrowDown");
    assert.equal(await field(page).inputValue(), `sleep ${seconds}`);

    const height = async () => (await panel(page).boundingBox())?.height ?? 0;
    const before = await height();
    await panel(page).getByRole("separator").focus();
    await page.keyboard.press("ArrowUp");
    assert.equal(await height(), before + 24);
    const edge = await panel(page).getByRole("separator").boundingBox();
    assert.ok(edge);
    await page.mouse.move(edge.x + 300, edge.y + edge.height / 2);
    await page.mouse.down();
    await page.mouse.move(edge.x + 300, edge.y + edge.height / 2 - 60, { steps: 3 });
    await page.mouse.up();
    assert.equal(await height(), before + 84);

    await field(page).fill("clear");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Exit status 0").waitFor({ state: "detached" });
    await page.keyboard.type("exit");
    await page.keyboard.press("Enter");
    await panel(page).waitFor({ state: "detached" });

    await page.reload();
    await openByKey(page);
    assert.equal(await height(), before + 84);
    await page.locator("#shell-line:focus").waitFor();
    await page.keyboard.press("ArrowUp");
    assert.equal(await field(page).inputValue(), "exit");
    await page.keyboard.press("Control+Backquote");
    await panel(page).waitFor({ state: "detached" });
  },
);

test(
  "of a long output the last lines are kept, and the page goes on",
  { signedIn: false, tree: { "a.txt": "" } },
  async (fixture) => {
    const { page } = fixture;
    await enter(fixture, ["seq"]);
    await page.getByRole("button", { name: "Shell" }).click();
    await type(page, "seq 20000");
    await says(page, "Exit status 0");
    await printed(page, /^20000$/m);
    const dropped = await panel(page).getByText(/earlier lines were removed/).innerText();
    assert.ok(Number(dropped.replace(/\D/g, "")) > 16_000, dropped);
    assert.ok(await panel(page).locator("*").count() < 300);
    const atEnd = await panel(page).getByRole("log").evaluate((log) =>
      log.scrollHeight - log.scrollTop - log.clientHeight < 4
    );
    assert.ok(atEnd, "the last line is in view");
  },
);

test(
  "on a phone the shell is reached from the menu, and a command is ended by thumb",
  { device: "phone", scheme: "dark", signedIn: false, tree: { "a.txt": "" } },
  async (fixture) => {
    const { page, folder } = fixture;
    await enter(fixture, ["sleep", "touch"]);
    await page.getByRole("button", { name: "More actions" }).tap();
    await page.getByRole("menuitem", { name: "Shell" }).tap();
    await type(page, "touch here");
    await says(page, "Exit status 0");
    assert.ok((await Deno.stat(join(folder, "here"))).isFile);
    const seconds = uniqueSleep();
    await type(page, `sleep ${seconds}`);
    await untilSleepers(seconds, 1);
    assert.deepEqual(await findBarriers(page), []);
    for (const target of await panel(page).getByRole("button").all()) {
      const size = await target.boundingBox();
      assert.ok(size && size.width >= 40 && size.height >= 40, JSON.stringify(size));
    }
    await panel(page).getByRole("button", { name: "Stop command" }).tap();
    await says(page, "Stopped");
    await untilSleepers(seconds, 0);
    await panel(page).getByRole("button", { name: "Close shell" }).tap();
    await panel(page).waitFor({ state: "detached" });
  },
);

test(
  "there is no shell where commands are refused: among named folders, and in read-only ones",
  { signedIn: false, tree: { pics: { "sea.txt": "" }, team: { "plan.txt": "" } } },
  async ({ page, server, folder }) => {
    const scene = folder.slice(folder.lastIndexOf("/") + 1);
    const roots = [
      { name: "Photos", path: `/${scene}/pics`, readOnly: true },
      { name: "Team", path: `/${scene}/team`, readOnly: false },
    ];
    await addUser(server, "vera", { roots, commands: ["touch"], perm: { execute: true } });
    await enterAs(page, "vera");
    const button = page.getByRole("button", { name: "Shell", exact: true });
    const go = async (name: string) => {
      await entry(page, name).click();
      await page.keyboard.press("Enter");
    };
    await entry(page, "Photos").waitFor();
    assert.equal(await button.count(), 0, "top");
    await page.keyboard.press("Control+Backquote");
    await go("Photos");
    await entry(page, "sea.txt").waitFor();
    assert.equal(await button.count(), 0, "read-only");
    assert.equal(await panel(page).count(), 0);
    await page.goto("/files/Team/");
    await openByKey(page);
    await type(page, "touch here");
    await says(page, "Exit status 0");
    await entry(page, "here").waitFor();
    const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
    await crumbs.getByRole("link", { name: "My files" }).click();
    await entry(page, "Photos").waitFor();
    await panel(page).waitFor({ state: "hidden" });
    await go("Team");
    await says(page, "Exit status 0");
    await button.waitFor();
  },
);
