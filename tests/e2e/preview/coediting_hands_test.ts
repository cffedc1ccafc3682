/** Texts that are written together: through shares, after rights have ended, by keys and by thumb. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { openText, textOf, write } from "../../support/browser/editor.ts";
import { entry, eventually, listingAwake } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { share, tokenFor } from "../../support/browser/settings.ts";
import { comeAs, comeAsGuest, togetherIs } from "../../support/browser/together.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ workerCounts: [1] });

const saved = (path: string, text: string) =>
  eventually(async () => await Deno.readTextFile(path) === text);

test(
  "a recipient who may edit writes with the owner; a visitor of the link follows",
  { tree: { album: { "notes.md": "# Notes\n" } } },
  async (fixture) => {
    const { page, server, folder, address } = fixture;
    const name = `Recipient of ${address.slice(7, -1)}`;
    await using friend = await comeAs(fixture, name, "/files/");
    const path = join(folder.slice(server.root.length), "album");
    const audience = [{ name, may: "edit" as const }];
    const { hash } = await share(server, path, { audience, anyone: true });

    const theirs = `/share/${hash}/notes.md`;
    await friend.page.goto(theirs);
    await friend.page.getByRole("button", { name: "Edit" }).click();
    await togetherIs(friend.page, "saved");
    await using guest = await comeAsGuest(fixture);
    await guest.page.goto(theirs);
    await guest.page.getByRole("heading", { name: "Notes" }).waitFor();

    await page.goto(`${address}album/notes.md`);
    await page.getByRole("button", { name: "Edit" }).click();
    await togetherIs(page, "saved");
    await page.getByRole("button", { name: new RegExp(`People here: .*${name}`) }).waitFor();
    await write(page, textOf(page, "notes.md"), "\n**mine**");
    await textOf(friend.page, "notes.md").getByText("mine").waitFor();
    await write(friend.page, textOf(friend.page, "notes.md"), " *theirs*");
    await textOf(page, "notes.md").getByText("theirs").waitFor();
    await guest.page.locator("em", { hasText: "theirs" }).waitFor();
    assert.equal(await guest.page.getByRole("button", { name: "Edit" }).count(), 0);
    await saved(join(folder, "album/notes.md"), "# Notes\n\n**mine** *theirs*");
    for (const each of [page, friend.page, guest.page]) {
      assert.deepEqual(await findBarriers(each), []);
    }
  },
);

async function withdraw(server: RunningServer, hash: string): Promise<void> {
  const token = await tokenFor(server, server.username, server.password);
  const init = { method: "DELETE", headers: { "x-auth": token } };
  const answer = await fetch(`${server.url}/api/share/${hash}`, init);
  assert.ok(answer.ok, await answer.text());
}

test(
  "whose share has ended is told so, and keeps the text to copy and to save",
  { tree: { "notes.txt": "one\n" } },
  async (fixture) => {
    const { server, folder } = fixture;
    const name = `Former of ${folder.slice(server.root.length + 1)}`;
    await using friend = await comeAs(fixture, name, "/files/");
    const path = join(folder.slice(server.root.length), "notes.txt");
    const { hash } = await share(server, path, { audience: [{ name, may: "edit" }] });
    await friend.page.goto(`/share/${hash}`);
    await togetherIs(friend.page, "saved");
    const text = textOf(friend.page, "notes.txt");
    await write(friend.page, text, "two");
    await saved(join(folder, "notes.txt"), "one\ntwo");
    await withdraw(server, hash);
    const notice = friend.page.getByRole("alert").filter({ hasText: "The text is still here" });
    await notice.waitFor();
    await write(friend.page, text, "three");
    assert.equal(await text.getByText("three").count(), 0, "it can be changed no more");
    assert.deepEqual(await findBarriers(friend.page), []);
    const [download] = await Promise.all([
      friend.page.waitForEvent("download"),
      notice.getByRole("button", { name: "Save a copy" }).click(),
    ]);
    const copy = await download.path();
    assert.equal(await Deno.readTextFile(copy), "one\ntwo");
  },
);

for (
  const [scheme, device, language] of [
    ["light", "desktop", "en"],
    ["dark", "phone", "en"],
    ["light", "desktop", "ar"],
  ] as const
) {
  test(
    `people are found by keys, and no barrier stands in the way (${scheme}, ${device}, ${language})`,
    { scheme, device, language, tree: { "notes.txt": `${"one\n".repeat(120)}` } },
    async (fixture) => {
      const { page, address } = fixture;
      const name = `Zoé Öz ${address.slice(7, -1)}`;
      await page.goto(`${address}notes.txt`);
      await page.locator(".editor__state[data-room=saved]").waitFor();
      await using other = await comeAs(fixture, name, `${address}notes.txt`);
      await togetherIs(other.page, "saved");
      const theirs = textOf(other.page, "notes.txt");
      await write(other.page, theirs, "the end");
      const people = page.locator(".people__open");
      await people.filter({ hasText: "Z" }).waitFor();
      await page.locator(".cm-content").focus();
      await eventually(async () =>
        (await people.getAttribute("aria-label"))?.includes(name) ?? false
      );
      assert.deepEqual(await findBarriers(page), [], "with others");
      await people.press("Enter");
      const menu = page.getByRole("menu").filter({ visible: true });
      await menu.getByRole("menuitem", { name: new RegExp(name) }).waitFor();
      assert.deepEqual(await findBarriers(page), [], "list");
      assert.equal(await page.locator(".cm-theirCursor").count(), 0, "it is far below");
      await menu.getByRole("menuitem", { name: new RegExp(name) }).press("Enter");
      await page.locator(".cm-theirCursor").waitFor();
      assert.deepEqual(await findBarriers(page), [], "their cursor");
      const beyond = await page.evaluate(() =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth
      );
      assert.equal(beyond, 0, "the page is wider than the screen");
    },
  );
}

test(
  "nothing of rooms is loaded with the files and with what is only looked at",
  { tree: { "notes.txt": "one\n", "page.pdf": "%PDF-1.4\n" } },
  async ({ page, address }) => {
    const loaded: Promise<string>[] = [];
    page.on("response", (response) => {
      if (/\/_fresh\/js\//.test(response.url())) loaded.push(response.text().catch(() => ""));
    });
    // What a second copy of Yjs is known by.
    const isThere = async () => (await Promise.all(loaded)).join("").includes("__ $YJS$ __");
    await page.goto(address);
    await listingAwake(page);
    assert.ok(loaded.length > 0);
    assert.equal(await isThere(), false, "files");
    await entry(page, "page.pdf").dblclick();
    await page.locator(".viewer").waitFor();
    assert.equal(await isThere(), false, "viewer");
    await openText(page, address, "notes.txt");
    await togetherIs(page, "saved");
    assert.equal(await isThere(), true, "text");
  },
);
