import assert from "node:assert/strict";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { visit } from "../../support/browser/browser.ts";
import { dropFiles, holdFiles } from "../../support/browser/drop.ts";
import { plant, plantBytes, sha256, temporaryFolder } from "../../support/disks/files.ts";
import { entry, eventually, listingAwake, rowOf } from "../../support/browser/listing.ts";
import { chooseFiles, makeFiles, uploadAt, uploadsSettled } from "../../support/browser/uploads.ts";
import { watchTasks } from "../../support/browser/long_tasks.ts";
import { isTold, keepNews } from "../../support/browser/news.ts";
import { islandsAwake } from "../../support/browser/awake.ts";
import { startServer } from "../../support/server/server.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { browserTests, signIn } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

async function chooseFolder(page: Page, folder: string): Promise<void> {
  await page.getByRole("button", { name: "New", exact: true }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Upload folder" }).click();
  await (await chooser).setFiles(folder);
}

/**
 * Holds back what is uploaded from an offset on, so that it can't all arrive before the page is
 * loaded again. The answer lets later requests pass.
 */
async function holdParts(page: Page, from: number): Promise<() => void> {
  let isHeld = true;
  await page.route("**/api/tus/**", async (route) => {
    const offset = Number(route.request().headers()["upload-offset"] ?? 0);
    if (!isHeld || offset < from) await route.continue();
  });
  return () => void (isHeld = false);
}

const panelOf = (page: Page) => page.getByRole("region", { name: "All uploads" });

test(
  "a chosen folder arrives as it is, and its name is asked about the next time",
  {},
  async (fixture) => {
    const { page, folder } = fixture;
    await using outside = await temporaryFolder();
    await plant(outside.path, { trip: { "plan.txt": "north", photos: { "1.jpg": "one" } } });
    await chooseFolder(page, join(outside.path, "trip"));
    await entry(page, "trip").waitFor();
    await uploadsSettled(page);
    assert.equal(await Deno.readTextFile(join(folder, "trip", "photos", "1.jpg")), "one");

    await chooseFolder(page, join(outside.path, "trip"));
    await page.getByRole("dialog").getByText("trip").first().waitFor();
    // There is nothing else, so leaving it out is to cancel.
    assert.equal(await page.getByRole("button", { name: "Skip" }).count(), 0);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  },
);

test(
  "files go into the folder below the hand; one that they rest on opens, and the house leads back",
  { tree: { docs: { deep: {} }, "a.txt": "a" } },
  async ({ page, folder, address }) => {
    await using outside = await temporaryFolder();
    await plant(outside.path, { "one.txt": "1", "two.txt": "2", "three.txt": "3" });
    const card = page.locator(".drop");
    /** Holds a file over an element until something comes of it. */
    const hold = async (name: string, over: Locator, until: () => Promise<unknown>) => {
      const hand = await holdFiles(page, [join(outside.path, name)]);
      let isThere = false;
      const waiting = until().then(() => isThere = true);
      await hand.over(over);
      while (!isThere) {
        await hand.rest();
        await page.waitForTimeout(50);
      }
      await waiting;
      return hand;
    };
    await listingAwake(page);
    const isMarked = () =>
      page.waitForFunction(() => {
        const words = document.querySelector(".drop")?.textContent ?? "";
        return document.querySelector(".row[data-dropping]")?.textContent.includes("docs") &&
          words.includes("Files and folders will be added to “docs”");
      });
    const first = await hold("one.txt", rowOf(page, "docs"), isMarked);
    await first.drop();
    const one = join(folder, "docs", "one.txt");
    await eventually(() => Deno.readTextFile(one).then((text) => text === "1", () => false));
    await card.waitFor({ state: "detached" });
    assert.equal(await page.locator("[data-dropping]").count(), 0);
    // On a busy machine it may have opened before it was dropped on.
    if (new URL(page.url()).pathname !== address) await page.goBack();
    await entry(page, "a.txt").waitFor();

    const opened = page.waitForURL(`${address}docs/`);
    const second = await hold("two.txt", rowOf(page, "docs"), () => opened);
    await entry(page, "deep").waitFor();
    await islandsAwake(page);
    await second.over(rowOf(page, "one.txt"));
    await second.drop();
    await entry(page, "two.txt").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "docs", "two.txt")), "2");

    const home = page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link").nth(1);
    const third = await hold("three.txt", home, () => page.waitForURL(address));
    await entry(page, "a.txt").waitFor();
    await islandsAwake(page);
    await third.over(rowOf(page, "a.txt"));
    await third.drop();
    await entry(page, "three.txt").waitFor();
    await uploadsSettled(page);
    const left = await holdFiles(page, [join(outside.path, "one.txt")]);
    await left.over(rowOf(page, "a.txt"));
    await card.waitFor();
    // Not over a folder, which would open meanwhile.
    assert.deepEqual(await findBarriers(page), []);
    await left.leave();
  },
);

for (const device of ["desktop", "phone"] as const) {
  test(
    `ten thousand files queue while the page stays at hand, on a ${device}`,
    { device, expected: [0] },
    async ({ page }) => {
      // The first ones are still there when the last one is queued, however long that takes.
      await uploadAt(page, 100);
      const upload = await makeFiles(page, 10_000);
      // To make so many files takes seconds of its own.
      const tasks = await watchTasks(page);
      await upload();
      await panelOf(page).getByText("of 10,000 done").waitFor();
      await panelOf(page).getByText("file 3.txt").waitFor();
      await page.locator(".uploads__list").evaluate((list) => list.scrollTop = 5_000 * 64);
      await panelOf(page).getByText("file 5000.txt").waitFor();
      assert.ok(await panelOf(page).getByRole("listitem").count() < 40);
      assert.ok(await page.locator("*").count() < 700);
      assert.deepEqual(await findBarriers(page), []);
      await panelOf(page).getByRole("button", { name: "Cancel all uploads" }).click();
      await page.getByText("uploads cancelled").waitFor();
      // What had arrived before is told of.
      if (await panelOf(page).isVisible()) {
        await panelOf(page).getByRole("button", { name: "Close upload list" }).click();
      }
      await panelOf(page).waitFor({ state: "detached" });
      await tasks.assertShort();
    },
  );
}

test(
  "by the keyboard an upload is given up, the list hidden, and all given up",
  { expected: [0] },
  async ({ page }) => {
    await using outside = await temporaryFolder();
    for (const name of ["a.bin", "b.bin"]) await plantBytes(join(outside.path, name), 3_000_000);
    await uploadAt(page, 50_000);
    await chooseFiles(page, ["a.bin", "b.bin"].map((name) => join(outside.path, name)));
    const panel = panelOf(page);
    await panel.getByText(/\d ?kB\/s/).first().waitFor();
    await panel.getByText(/left/).first().waitFor();
    const leaving = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const warning = await leaving;
    assert.equal(warning.type(), "beforeunload");
    await warning.dismiss();
    await panel.getByRole("button", { name: "Cancel a.bin" }).focus();
    await page.keyboard.press("Enter");
    await panel.getByText("a.bin").waitFor({ state: "detached" });
    await panel.getByRole("button", { name: "Hide list" }).press("Enter");
    assert.equal(await panel.getByText("b.bin").count(), 0);
    assert.deepEqual(await findBarriers(page), []);
    await panel.getByRole("button", { name: "Show list" }).press("Enter");
    await panel.getByText("b.bin").waitFor();
    await panel.getByRole("button", { name: "Cancel all uploads" }).press("Enter");
    await panel.waitFor({ state: "detached" });
    const upload = page.getByRole("button", { name: "Upload", exact: true });
    await upload.and(page.locator(":focus")).waitFor();
  },
);

test(
  "uploads that were all given up are told of, and can go on",
  { expected: [0] },
  async ({ page, folder }) => {
    await using outside = await temporaryFolder();
    const names = ["a.bin", "b.bin"];
    for (const name of names) await plantBytes(join(outside.path, name), 3_000_000);
    await uploadAt(page, 50_000);
    await chooseFiles(page, names.map((name) => join(outside.path, name)));
    const panel = panelOf(page);
    await keepNews(page);
    await panel.getByText(/\d ?kB\/s/).first().waitFor();
    assert.equal(await panel.getByRole("button", { name: /^Close/ }).count(), 0);
    await panel.getByText("Cancel all uploads").click();
    await panel.waitFor({ state: "detached" });
    await isTold(page, "2 uploads cancelled");
    await uploadAt(page, 50_000_000);
    await page.getByRole("button", { name: "Undo" }).click();
    for (const name of names) await entry(page, name).waitFor();
    await uploadsSettled(page);
    for (const name of names) {
      assert.equal(await sha256(join(folder, name)), await sha256(join(outside.path, name)));
    }
  },
);

test(
  "a refused upload stays listed with its reason until it is tried again",
  { expected: [507, 413] },
  async ({ page, folder }) => {
    await using outside = await temporaryFolder();
    await plant(outside.path, { "one.txt": "1", "two.txt": "2" });
    let isFull = true;
    await intercept(page, "**/api/resources/**", async (route) => {
      const isUpload = route.request().method() === "POST";
      await (isFull && isUpload ? route.fulfill({ status: 507 }) : route.continue());
    });
    await chooseFiles(page, ["one.txt", "two.txt"].map((name) => join(outside.path, name)));
    const panel = panelOf(page);
    await panel.getByText("The disk is full. Free up some space, then try again.").first()
      .waitFor();
    for (const name of ["one", "two"]) {
      await panel.getByRole("button", { name: `Retry ${name}.txt` }).waitFor();
    }
    assert.deepEqual(await findBarriers(page), []);
    isFull = false;
    await panel.getByRole("button", { name: "Retry one.txt" }).click();
    await entry(page, "one.txt").waitFor();
    await panel.getByText("two.txt").waitFor();
    await panel.getByRole("button", { name: "Retry two.txt" }).click();
    await entry(page, "two.txt").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "two.txt")), "2");
  },
);

test(
  "an upload outlasts a restart of the server, and the page says that it waits",
  { signedIn: false },
  async ({ page: stage }) => {
    await using outside = await temporaryFolder();
    await plantBytes(join(outside.path, "long.bin"), 4_000_000);
    await using root = await temporaryFolder();
    await using data = await temporaryFolder();
    const kept = ["--database", join(data.path, "kept.kv")];
    const first = await startServer({ root: root.path, flags: kept });
    const browser = stage.context().browser();
    assert.ok(browser);
    await visit(browser, { url: first.url, expected: [0, 503] }, async (page) => {
      await signIn(page, first, "/files/");
      await uploadAt(page, 200_000);
      await chooseFiles(page, [join(outside.path, "long.bin")]);
      await panelOf(page).getByText("%").first().waitFor();

      Deno.kill(first.pid, "SIGKILL");
      await first.stop();
      await panelOf(page).getByText("Waiting for the server…").waitFor();
      await page.getByText("Trying again…").waitFor();
      assert.deepEqual(await findBarriers(page), []);
      await uploadAt(page, -1);
      const flags = [...kept, "--port", new URL(first.url).port];
      await using _second = await startServer({ root: root.path, flags });
      await entry(page, "long.bin").waitFor({ timeout: 30_000 });
      await page.getByText("Trying again…").waitFor({ state: "detached" });
      assert.equal((await Deno.stat(join(root.path, "long.bin"))).size, 4_000_000);
      await page.goto("about:blank");
    });
  },
);

test(
  "a large upload goes on after kills of the server and a reload",
  { signedIn: false },
  async ({ page: stage }) => {
    await using outside = await temporaryFolder();
    const source = join(outside.path, "large.bin");
    const total = 60_000_000;
    const sum = await plantBytes(source, total);
    await using root = await temporaryFolder();
    await plant(root.path, { "a.txt": "a" });
    await using data = await temporaryFolder();
    const kept = ["--database", join(data.path, "kept.kv")];
    let server = await startServer({ root: root.path, flags: kept });
    const port = new URL(server.url).port;
    const restart = async () => {
      Deno.kill(server.pid, "SIGKILL");
      await server.stop();
      server = await startServer({ root: root.path, flags: [...kept, "--port", port] });
    };
    const browser = stage.context().browser();
    assert.ok(browser);
    await using _last = { [Symbol.asyncDispose]: async () => void await server.stop() };
    await visit(browser, { url: server.url, expected: [0, 404, 503] }, async (page) => {
      const parts: { start: number; end: number }[] = [];
      page.on("response", (answer) => {
        if (answer.request().method() !== "PATCH" || answer.status() !== 204) return;
        const start = Number(answer.request().headers()["upload-offset"]);
        parts.push({ start, end: Number(answer.headers()["upload-offset"]) });
      });
      const arrived = (part: number) => eventually(() => (parts.at(-1)?.end ?? 0) >= total * part);
      const letGo = await holdParts(page, total * 0.4);
      await signIn(page, server, "/files/");
      await uploadAt(page, 15_000_000);
      await chooseFiles(page, [source]);
      await arrived(0.2);
      await restart();
      await arrived(0.4);
      letGo();
      await page.reload();
      const offer = page.getByRole("region", { name: "Interrupted uploads" });
      await offer.getByText("large.bin").waitFor();
      assert.match(await offer.innerText(), /[4-9]\d%/);
      assert.deepEqual(await findBarriers(page), []);

      const before = parts.at(-1)?.end ?? 0;
      await uploadAt(page, 15_000_000);
      const choose = async (file: string) => {
        const chooser = page.waitForEvent("filechooser");
        await offer.getByRole("button", { name: "Choose files" }).press("Enter");
        await (await chooser).setFiles([file]);
      };
      await choose(join(root.path, "a.txt"));
      await page.getByText("None of these files was being uploaded.").waitFor();
      await choose(source);
      await offer.waitFor({ state: "detached" });
      await eventually(() => (parts.at(-1)?.end ?? 0) > before);
      const resumed = parts.find(({ end }) => end > before);
      assert.ok((resumed?.start ?? 0) >= before, "it goes on where it was");
      await restart();
      await uploadAt(page, -1);
      await entry(page, "large.bin").waitFor({ timeout: 30_000 });
      assert.equal(await sha256(join(root.path, "large.bin")), sum);
      const twice = parts.reduce((bytes, { start, end }) => bytes + end - start, 0) - total;
      assert.ok(twice <= 3 * 10 * 2 ** 20, `${twice} bytes were taken twice`);
      await page.goto("about:blank");
    });
  },
);

test(
  "a dropped file goes on by itself after a reload",
  { expected: [0], tree: { "a.txt": "a" } },
  async ({ page, folder }) => {
    await using outside = await temporaryFolder();
    const source = join(outside.path, "dropped.bin");
    const sum = await plantBytes(source, 20_000_000);
    const offsets: number[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
    });
    const letGo = await holdParts(page, 1);
    await uploadAt(page, 10_000_000);
    await dropFiles(page, page.locator(".listing"), [source]);
    await eventually(() => offsets.length > 1);
    const before = offsets.splice(0).at(-1) ?? 0;
    letGo();
    await page.reload();
    await entry(page, "dropped.bin").waitFor();
    await uploadsSettled(page);
    assert.ok((offsets[0] ?? 0) >= before && before > 0, `${before}, then ${offsets}`);
    assert.equal(await sha256(join(folder, "dropped.bin")), sum);
  },
);
