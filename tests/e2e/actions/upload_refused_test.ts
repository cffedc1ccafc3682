import assert from "node:assert/strict";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { islandsAwake } from "../../support/browser/awake.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually } from "../../support/browser/listing.ts";
import { addUser, enterAs, tokenFor } from "../../support/browser/settings.ts";
import { chooseFiles } from "../../support/browser/uploads.ts";
import { dropFiles } from "../../support/browser/drop.ts";
import { denyMatching } from "../../support/data/rules.ts";
import { plantBytes, sha256, temporaryFolder } from "../../support/disks/files.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { intercept } from "../../support/browser/intercept.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ workerCounts: [2] });

/** Large enough to be sent in parts, small enough for a single one. */
const size = 3_000_000;

const panelOf = (page: Page) => page.getByRole("region", { name: "All uploads" });

const hands = ["mouse", "keyboard"] as const;

/** Presses a button with the mouse, or by the keyboard alone. */
async function press(button: Locator, hand: typeof hands[number]): Promise<void> {
  if (hand === "mouse") return await button.click();
  await button.focus();
  await button.press("Enter");
}

/** The files of uploads that lack their names, in a folder of the disk. */
async function namelessIn(folder: string): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  return names.filter((name) => name.startsWith(".cubby-upload-"));
}

/** How many bytes of a folder's entry are on the disk; null without one. */
async function sizeOf(path: string): Promise<number | null> {
  return await Deno.stat(path).then(({ size }) => size, () => null);
}

/**
 * Uploads a file whose name is taken on the disk once its bytes are on their way.
 *
 * @returns its digest, and whether nothing was sent after its bytes had come
 */
async function meetTaken(page: Page, outside: string, folder: string, name: string) {
  const sum = await plantBytes(join(outside, name), size);
  const offsets: number[] = [];
  page.on("request", (request) => {
    const offset = request.headers()["upload-offset"];
    const isOf = decodeURIComponent(new URL(request.url()).pathname).endsWith(`/${name}`);
    if (request.method() === "PATCH" && isOf) offsets.push(Number(offset));
  });
  await intercept(
    page,
    (url) => url.pathname.endsWith(`/${name}`) && url.pathname.includes("/api/tus/"),
    async (route) => {
      if (route.request().headers()["upload-offset"] === "0") {
        await Deno.writeTextFile(join(folder, name), "theirs");
      }
      await route.continue();
    },
  );
  await chooseFiles(page, [join(outside, name)]);
  const prompt = page.getByRole("dialog");
  await prompt.getByText(name).first().waitFor();
  const isSentOnce = () => offsets[0] === 0 && offsets.slice(1).every((offset) => offset === size);
  return { sum, prompt, isSentOnce };
}

test(
  "an upload whose name was taken meanwhile replaces, keeps both or is dropped as one decides",
  { expected: [409, 404] },
  async ({ page, folder }) => {
    await using outside = await temporaryFolder();
    for (const hand of hands) {
      const name = `replace-${hand}.bin`;
      const replaced = await meetTaken(page, outside.path, folder, name);
      assert.equal(await Deno.readTextFile(join(folder, name)), "theirs");
      assert.equal((await namelessIn(folder)).length, 1);
      assert.deepEqual(await findBarriers(page), []);
      await press(replaced.prompt.getByRole("button", { name: "Replace" }), hand);
      await eventually(async () => await sizeOf(join(folder, name)) === size);
      assert.equal(await sha256(join(folder, name)), replaced.sum);
      assert.ok(replaced.isSentOnce());

      const both = `both-${hand}.bin`;
      const kept = await meetTaken(page, outside.path, folder, both);
      await press(kept.prompt.getByRole("button", { name: "Keep both" }), hand);
      await entry(page, `both-${hand}(1).bin`).waitFor();
      assert.equal(await Deno.readTextFile(join(folder, both)), "theirs");
      assert.equal(await sha256(join(folder, `both-${hand}(1).bin`)), kept.sum);
      assert.ok(kept.isSentOnce());
      assert.deepEqual(await namelessIn(folder), []);

      const skipped = `skip-${hand}.bin`;
      const { prompt, isSentOnce } = await meetTaken(page, outside.path, folder, skipped);
      assert.equal((await namelessIn(folder)).length, 1);
      await press(prompt.getByRole("button", { name: "Skip" }), hand);
      await eventually(async () => (await namelessIn(folder)).length === 0);
      assert.equal(await Deno.readTextFile(join(folder, skipped)), "theirs");
      assert.ok(isSentOnce());
    }
  },
);

test(
  "an undecided upload stays listed with its bytes: it is tried again, or discarded",
  { expected: [409, 404] },
  async ({ page, folder }) => {
    await using outside = await temporaryFolder();
    for (const hand of hands) {
      const name = `again-${hand}.bin`;
      const { sum, prompt, isSentOnce } = await meetTaken(page, outside.path, folder, name);
      await prompt.press("Escape");
      const panel = panelOf(page);
      await panel.getByText("This name is already taken.").waitFor();
      assert.equal((await namelessIn(folder)).length, 1);
      assert.deepEqual(await findBarriers(page), []);
      const again = panel.getByRole("button", { name: `Retry ${name}` });
      const row = await panel.getByRole("listitem").boundingBox();
      const discard = await panel.getByRole("button", { name: `Discard ${name}` }).boundingBox();
      assert.ok(row && discard && discard.x + discard.width <= row.x + row.width, "it is in view");
      // Still taken: the same question.
      await press(again, hand);
      await prompt.getByText(name).first().waitFor();
      await prompt.press("Escape");
      await Deno.remove(join(folder, name));
      await press(again, hand);
      await eventually(async () => await sizeOf(join(folder, name)) === size);
      assert.equal(await sha256(join(folder, name)), sum);
      assert.ok(isSentOnce());
      assert.deepEqual(await namelessIn(folder), []);

      const dropped = `drop-${hand}.bin`;
      const second = await meetTaken(page, outside.path, folder, dropped);
      await second.prompt.press("Escape");
      await press(panel.getByRole("button", { name: `Discard ${dropped}` }), hand);
      await eventually(async () => (await namelessIn(folder)).length === 0);
      await panel.getByText(dropped).waitFor({ state: "detached" });
      assert.equal(await Deno.readTextFile(join(folder, dropped)), "theirs");
    }
  },
);

/** Sends a change beside the browser, as the administrator. */
async function change(server: RunningServer, call: string, json: object): Promise<Response> {
  const [method, path] = call.split(" ");
  const token = await tokenFor(server, server.username, server.password);
  const body = JSON.stringify({ ...json, current_password: server.password });
  const init = { method, headers: { "x-auth": token }, body };
  const answer = await fetch(`${server.url}/api/${path}`, init);
  assert.ok(answer.ok, await answer.clone().text());
  return answer;
}

/** Ways to refuse a user whose upload is under way. */
const refusals = [
  {
    of: "a quota that was lowered meanwhile",
    status: 507,
    reason: /quota/,
    prepare: (server: RunningServer, address: string) => {
      const give = async (bytes: number) => {
        const data = { quota: { bytes, files: 0 } };
        const answer = await change(server, `PUT ${address}`, {
          ...{ what: "user", which: ["quota"] },
          data,
        });
        await answer.body?.cancel();
      };
      return { refuse: () => give(1_000_000), allow: () => give(0) };
    },
  },
  {
    of: "a rule that was added meanwhile",
    status: 403,
    reason: "You don’t have permissions to access this.",
    prepare: async (server: RunningServer, address: string) => {
      const members = [Number(address.split("/")[1])];
      const made = await change(server, "POST groups", { name: crypto.randomUUID(), members });
      const { id } = await made.json();
      const give = async (rules: object[]) => {
        await (await change(server, `PUT groups/${id}`, { rules })).body?.cancel();
      };
      return { refuse: () => give([denyMatching("\\.bin$")]), allow: () => give([]) };
    },
  },
];

for (const { of, status, reason, prepare } of refusals) {
  test(
    `an upload that is refused by ${of} says why, keeps its bytes, and gets its name afterwards`,
    { expected: [409, 404, status] },
    async ({ page, server, folder }) => {
      await using outside = await temporaryFolder();
      const user = `refused-${crypto.randomUUID()}`;
      const address = await addUser(server, user, { scope: folder.slice(server.root.length) });
      const { refuse, allow } = await prepare(server, address);
      await enterAs(page, user);
      await islandsAwake(page);
      const panel = panelOf(page);
      for (const hand of hands) {
        const name = `late-${hand}.bin`;
        const { sum, prompt, isSentOnce } = await meetTaken(page, outside.path, folder, name);
        await prompt.press("Escape");
        await refuse();
        await Deno.remove(join(folder, name));
        const again = panel.getByRole("button", { name: `Retry ${name}` });
        await press(again, hand);
        await panel.getByText(reason).waitFor();
        assert.deepEqual(await findBarriers(page), []);
        assert.equal(await sizeOf(join(folder, name)), null);
        assert.equal((await namelessIn(folder)).length, 1);
        // Nor is anything sent after the page has lost the file.
        await page.reload();
        await panel.getByText(reason).waitFor();
        await allow();
        await press(again, hand);
        await eventually(async () => await sizeOf(join(folder, name)) === size);
        assert.equal(await sha256(join(folder, name)), sum);
        assert.ok(isSentOnce());

        const dropped = `drop-${hand}.bin`;
        const second = await meetTaken(page, outside.path, folder, dropped);
        await second.prompt.press("Escape");
        await refuse();
        await press(panel.getByRole("button", { name: `Retry ${dropped}` }), hand);
        await panel.getByText(reason).waitFor();
        await allow();
        await press(panel.getByRole("button", { name: `Discard ${dropped}` }), hand);
        await panel.getByText(dropped).waitFor({ state: "detached" });
        await eventually(async () => (await namelessIn(folder)).length === 0);
        assert.equal(await Deno.readTextFile(join(folder, dropped)), "theirs");
      }
    },
  );
}

/** Leaves an upload with all its bytes but no name behind, and loads the page again. */
async function comeBack(page: Page, outside: string, folder: string, name: string) {
  const met = await meetTaken(page, outside, folder, name);
  await met.prompt.press("Escape");
  await panelOf(page).getByText("This name is already taken.").waitFor();
  await page.reload();
  await panelOf(page).getByText(name).waitFor();
  await panelOf(page).getByText("This name is already taken.").waitFor();
  assert.equal((await namelessIn(folder)).length, 1);
  return met;
}

test(
  "after a reload a whole upload without a name needs no file: its bytes are used as they are",
  { expected: [409, 404] },
  async ({ page, folder }) => {
    await using outside = await temporaryFolder();
    const panel = panelOf(page);
    for (const hand of hands) {
      const both = `both-${hand}.bin`;
      const kept = await comeBack(page, outside.path, folder, both);
      assert.deepEqual(await findBarriers(page), []);
      await press(panel.getByRole("button", { name: `Retry ${both}` }), hand);
      await press(kept.prompt.getByRole("button", { name: "Keep both" }), hand);
      await entry(page, `both-${hand}(1).bin`).waitFor();
      assert.equal(await Deno.readTextFile(join(folder, both)), "theirs");
      assert.equal(await sha256(join(folder, `both-${hand}(1).bin`)), kept.sum);
      assert.ok(kept.isSentOnce());

      const name = `replace-${hand}.bin`;
      const replaced = await comeBack(page, outside.path, folder, name);
      await press(panel.getByRole("button", { name: `Retry ${name}` }), hand);
      await press(replaced.prompt.getByRole("button", { name: "Replace" }), hand);
      await eventually(async () => await sizeOf(join(folder, name)) === size);
      assert.equal(await sha256(join(folder, name)), replaced.sum);
      assert.ok(replaced.isSentOnce());

      const dropped = `drop-${hand}.bin`;
      await comeBack(page, outside.path, folder, dropped);
      await press(panel.getByRole("button", { name: `Discard ${dropped}` }), hand);
      await eventually(async () => (await namelessIn(folder)).length === 0);
      assert.equal(await Deno.readTextFile(join(folder, dropped)), "theirs");
      await page.reload();
      await islandsAwake(page);
      assert.equal(await panel.count(), 0);
    }
  },
);

test(
  "after a reload the same file, dropped once more to keep both, is not sent again",
  { expected: [409, 404] },
  async ({ page, folder }) => {
    await using outside = await temporaryFolder();
    const { sum, prompt, isSentOnce } = await comeBack(page, outside.path, folder, "twice.bin");
    await dropFiles(page, page.getByRole("main"), [join(outside.path, "twice.bin")]);
    await prompt.getByRole("button", { name: "Keep both" }).click();
    await entry(page, "twice(1).bin").waitFor();
    await panelOf(page).getByText("1 item uploaded").waitFor();
    assert.equal(await panelOf(page).getByRole("button", { name: "Retry twice.bin" }).count(), 0);
    assert.equal(await sha256(join(folder, "twice(1).bin")), sum);
    assert.equal(await Deno.readTextFile(join(folder, "twice.bin")), "theirs");
    assert.ok(isSentOnce());
    assert.deepEqual(await namelessIn(folder), []);
  },
);
