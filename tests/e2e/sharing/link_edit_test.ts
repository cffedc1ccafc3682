/** Links by which anybody may change files: how their owner makes them, and what a visitor does. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { stateIs, textOf, write } from "../../support/browser/editor.ts";
import { eventually } from "../../support/browser/listing.ts";
import { share, tokenFor } from "../../support/browser/settings.ts";
import { comeAsGuest, togetherIs } from "../../support/browser/together.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ workerCounts: [1] });
const { SHOTS } = Deno.env.toObject();

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

const saved = (path: string, text: string) =>
  eventually(async () => await Deno.readTextFile(path) === text);

/** The shares of the album, as the server has them. */
async function sharesOf(server: RunningServer, address: string) {
  const token = await tokenFor(server, server.username, server.password);
  const path = `${address.replace("/files", "")}album`;
  const answer = await fetch(`${server.url}/api/share${path}`, { headers: { "x-auth": token } });
  return await answer.json();
}

for (
  const [scheme, device] of [["light", "desktop"], ["dark", "phone"]] as const
) {
  test(
    `an owner chooses what a link allows, and is warned (${scheme}, ${device})`,
    { scheme, device, tree: { album: { "sea.txt": "The sea" } } },
    async ({ page, server, address }) => {
      const opened = page.getByRole("dialog", { name: "Share “album”" });
      await page.getByRole("link", { name: "album" }).click({ button: "right" });
      await page.getByRole("menuitem", { name: "Share" }).click();
      const right = opened.getByRole("combobox", { name: "What the link allows" });
      await right.waitFor();
      assert.equal(await right.inputValue(), "download");
      await opened.getByText("Can view and download, without signing in.").waitFor();
      await right.selectOption({ label: "Can edit" });
      await opened.getByText("Can view, download and change files, without signing in.").waitFor();
      await opened.getByText("Anyone who gets this link can change and delete these files.")
        .waitFor();
      await shoot(page, `link-right-${device}-${scheme}`);
      assert.deepEqual(await findBarriers(page), []);
      await opened.getByRole("button", { name: "Create link" }).click();
      await opened.getByText("Anyone with the link (Can edit)").waitFor();
      await shoot(page, `link-made-${device}-${scheme}`);
      const [made] = await sharesOf(server, address);
      assert.deepEqual([made.anyoneMay, made.audience], ["edit", undefined]);
      await opened.getByRole("button", { name: "Edit link" }).click();
      const edited = page.getByRole("dialog", { name: "Edit link" });
      const now = edited.getByRole("combobox", { name: "What the link allows" });
      assert.equal(await now.inputValue(), "edit");
      await now.selectOption({ label: "Can add files" });
      await edited.getByText("Anyone who gets this link can add files.").waitFor();
      await edited.getByRole("button", { name: "Save" }).click();
      await opened.getByText("Anyone with the link (Can add files)").waitFor();
      const [changed] = await sharesOf(server, address);
      assert.equal(changed.anyoneMay, "upload");
    },
  );
}

test(
  "a visitor gives a name once, and writes in a text with its owner",
  { tree: { album: { "notes.txt": "one\n", "more.txt": "two\n" } } },
  async (fixture) => {
    const { page, server, folder, address } = fixture;
    const path = join(folder.slice(server.root.length), "album");
    const { hash } = await share(server, path, { anyoneMay: "edit" });
    await using guest = await comeAsGuest(fixture);
    await guest.page.goto(`/share/${hash}/notes.txt`);
    const asking = guest.page.getByRole("dialog", { name: "What’s your name?" });
    await asking.getByText("Leave it empty to be “Guest”").waitFor();
    const field = asking.getByRole("textbox", { name: "Your name" });
    await field.and(guest.page.locator(":focus")).waitFor();
    assert.deepEqual(await findBarriers(guest.page), []);
    await shoot(guest.page, "visitor-name");
    await guest.page.keyboard.type("Anna");
    await guest.page.keyboard.press("Enter");
    await togetherIs(guest.page, "saved");

    await page.goto(`${address}album/notes.txt`);
    await togetherIs(page, "saved");
    await page.getByRole("button", { name: /People here: .*Anna \(guest\)/ }).waitFor();
    await write(guest.page, textOf(guest.page, "notes.txt"), "by Anna");
    await textOf(page, "notes.txt").getByText("by Anna").waitFor();
    await page.locator(".cm-theirCursor", { hasText: "Anna (guest)" }).waitFor({
      state: "attached",
    });
    await shoot(page, "visitor-in-text");
    await saved(join(folder, "album/notes.txt"), "one\nby Anna");

    await guest.page.goto(`/share/${hash}/more.txt`);
    await togetherIs(guest.page, "saved");
    assert.equal(await asking.count(), 0, "the name is kept");
    assert.deepEqual(await findBarriers(guest.page), []);
  },
);

test(
  "a visitor who reads a page is asked for no name before editing it",
  { tree: { album: { "page.md": "# One\n" } } },
  async (fixture) => {
    const { page, server, folder, address } = fixture;
    const path = join(folder.slice(server.root.length), "album");
    const { hash } = await share(server, path, { anyoneMay: "edit" });
    await page.goto(`${address}album/page.md`);
    await togetherIs(page, "saved");
    await using guest = await comeAsGuest(fixture);
    await guest.page.goto(`/share/${hash}/page.md`);
    await togetherIs(guest.page, "saved");
    await page.getByRole("button", { name: /People here: .*Guest/ }).waitFor();
    assert.equal(await guest.page.getByRole("dialog").count(), 0);
    await guest.page.getByRole("button", { name: "Edit" }).click();
    await guest.page.getByRole("dialog", { name: "What’s your name?" })
      .getByRole("textbox", { name: "Your name" }).fill("Anna");
    await guest.page.keyboard.press("Enter");
    await page.getByRole("button", { name: /People here: .*Anna \(guest\)/ }).waitFor();
    await togetherIs(guest.page, "saved");
    await write(guest.page, textOf(guest.page, "page.md"), "by Anna");
    await saved(join(folder, "album/page.md"), "# One\nby Anna");
  },
);

test(
  "each page marks a visitor in its own language, and cuts off no mark",
  { tree: { album: { "notes.txt": "one\n" } } },
  async (fixture) => {
    const { server, folder } = fixture;
    const { hash } = await share(server, join(folder.slice(server.root.length), "album"), {
      anyoneMay: "edit",
    });
    const long = `admin ${"W".repeat(34)}`;
    const names = ["Admin", long];
    const guests = [];
    for (const [index, locale] of ["de", "fr"].entries()) {
      const guest = await comeAsGuest(fixture, { locale, viewport: { width: 1600, height: 800 } });
      guests.push(guest);
      await guest.page.goto(`/share/${hash}/notes.txt`);
      await guest.page.locator(".prompt[open] input").fill(names[index] ?? "");
      await guest.page.keyboard.press("Enter");
      await guest.page.locator(".editor__state[data-room=saved]").waitFor();
    }
    const [de, fr] = guests.map(({ page }) => page);
    assert.ok(de && fr);
    try {
      const shownIn = (page: Page, name: string) =>
        page.locator(".people__open").and(page.locator(`[aria-label*="${name}"]`)).waitFor();
      await shownIn(de, `${long} (Gast)`);
      await shownIn(fr, "Admin (invité)");
      await write(fr, fr.locator(".cm-content"), "by a guest");
      const label = de.locator(".cm-theirName", { hasText: "(Gast)" });
      await label.waitFor({ state: "attached" });
      for (const at of [label, de.locator(".people__word")]) {
        assert.ok(
          await at.evaluate((shown) => {
            const { left, right } = shown.getBoundingClientRect();
            const range = document.createRange();
            const words = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
            let seen: DOMRect | null = null;
            while (words.nextNode()) {
              const { data = "" } = words.currentNode as Text;
              const start = data.indexOf("(Gast)");
              if (start < 0) continue;
              range.setStart(words.currentNode, start);
              range.setEnd(words.currentNode, start + 6);
              seen = range.getBoundingClientRect();
            }
            return seen !== null && seen.left >= left - 1 && seen.right <= right + 1;
          }),
          "the mark is cut off",
        );
      }
      assert.equal(await de.locator(".people__chip[data-guest]").first().isVisible(), true);
      await shoot(de, "guest-in-german");
    } finally {
      for (const guest of guests) await guest[Symbol.asyncDispose]();
    }
  },
);

test(
  "a visitor without a name is a guest, and is not asked to look only",
  { tree: { album: { "notes.txt": "one\n" } } },
  async (fixture) => {
    const { page, server, folder, address } = fixture;
    const path = join(folder.slice(server.root.length), "album");
    const [edited, seen] = [
      await share(server, path, { anyoneMay: "edit" }),
      await share(server, path, { anyoneMay: "download" }),
    ];
    await using guest = await comeAsGuest(fixture);
    await guest.page.goto(`/share/${seen.hash}/notes.txt`);
    await guest.page.locator(".editor__state[data-room=saved]").waitFor();
    assert.equal(await guest.page.getByRole("dialog").count(), 0);
    await guest.page.goto(`/share/${edited.hash}/notes.txt`);
    await guest.page.getByRole("dialog", { name: "What’s your name?" }).waitFor();
    await guest.page.keyboard.press("Escape");
    await togetherIs(guest.page, "saved");
    await page.goto(`${address}album/notes.txt`);
    await page.getByRole("button", { name: /People here: .*Guest/ }).waitFor();
  },
);

test(
  "a visitor saves a text alone, adds files, makes a folder, renames and deletes",
  { tree: { album: { "notes.txt": "one\n" } } },
  async (fixture) => {
    const { server, folder } = fixture;
    // Not in Unicode, so that it is edited alone.
    await Deno.writeFile(join(folder, "album/old.txt"), new Uint8Array([0xe9, 0x74, 0xe9, 0x0a]));
    const path = join(folder.slice(server.root.length), "album");
    const { hash } = await share(server, path, { anyoneMay: "edit" });
    await using guest = await comeAsGuest(fixture);
    const { page } = guest;
    await page.goto(`/share/${hash}/old.txt`);
    const text = textOf(page, "old.txt");
    await write(page, text, "é");
    await stateIs(page, "Unsaved changes");
    await page.keyboard.press("ControlOrMeta+s");
    await stateIs(page, "Saved");
    assert.deepEqual([...await Deno.readFile(join(folder, "album/old.txt"))], [
      ...[0xe9, 0x74, 0xe9, 0x0a, 0xe9],
    ]);

    await page.goto(`/share/${hash}/`);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose files" }).click();
    const buffer = Buffer.from("new");
    await (await chooser).setFiles({ name: "new.txt", mimeType: "text/plain", buffer });
    await eventually(async () =>
      await Deno.stat(join(folder, "album/new.txt")).then(() => true, () => false)
    );
    await page.getByRole("button", { name: "New folder" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("made");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "made" }).first().waitFor();
    assert.ok((await Deno.stat(join(folder, "album/made"))).isDirectory);
    await shoot(page, "visitor-folder");
    assert.deepEqual(await findBarriers(page), []);
  },
);

test(
  "all that a visitor may do with a file has room on a tablet, in long words",
  { tree: { album: { "notes.txt": "one\n", "more.bin": "\0\x01" } } },
  async (fixture) => {
    const { server, folder } = fixture;
    const path = join(folder.slice(server.root.length), "album");
    const { hash } = await share(server, path, { anyoneMay: "edit" });
    for (const [width, height] of [[820, 1180], [1_000, 800]] as const) {
      const tablet = { hasTouch: true, isMobile: true, viewport: { width, height } };
      await using guest = await comeAsGuest(fixture, { locale: "de", ...tablet });
      const { page } = guest;
      // What has no room makes the page of a touch screen wider.
      const laidOut = () => page.evaluate(() => innerWidth);
      await page.goto(`/share/${hash}/notes.txt`);
      await page.getByRole("dialog", { name: "Wie heißen Sie?" }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".editor__state[data-room=saved]").waitFor();
      assert.equal(await laidOut(), width);
      await page.goto(`/share/${hash}/more.bin`);
      await page.getByRole("button", { name: "Löschen" }).waitFor();
      assert.equal(await laidOut(), width);
    }
  },
);
