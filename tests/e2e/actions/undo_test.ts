import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, listingAwake } from "../../support/browser/listing.ts";
import { isTold, keepNews } from "../../support/browser/news.ts";
import { chooseFiles } from "../../support/browser/uploads.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { plant, plantMany, temporaryFolder } from "../../support/disks/files.ts";
import { zipOf } from "../../support/data/hostile_archives.ts";
import { TOKEN_KEY } from "../../../lib/client/base/session/session.ts";

const test = browserTests({ workerCounts: [2] });

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

async function ask(page: Page, method: string, path: string, data: object, prefer = "wait=0") {
  const token = await page.evaluate((key) => localStorage.getItem(key) ?? "", TOKEN_KEY);
  const headers = { "x-auth": token, prefer };
  return await page.request.fetch(path, { method, data, headers });
}

/** A call of the page's user, such as another of his devices would make. */
async function call(page: Page, method: string, path: string, data: object, prefer = "wait=0") {
  const answer = await ask(page, method, path, data, prefer);
  assert.ok(answer.ok(), `${method} ${path} ${answer.status()}`);
  return await answer.json();
}

test(
  "by keys alone: a name, a move, a copy, an extraction and a replacement are taken back by Ctrl+Z",
  { tree: { docs: {}, "a.txt": "a", "z.zip": zipOf([{ name: "in.txt", content: "in" }]) } },
  async ({ page, folder }) => {
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await page.keyboard.press("F2");
    await page.getByRole("dialog").getByRole("textbox").fill("b.txt");
    await page.keyboard.press("Enter");
    await isTold(page, "Renamed to “b.txt”");
    assert.deepEqual(namesIn(folder), ["b.txt", "docs", "z.zip"]);
    await entry(page, "b.txt").waitFor();
    await page.keyboard.press("ControlOrMeta+z");
    await isTold(page, "1 change undone");
    await entry(page, "a.txt").waitFor();
    assert.deepEqual(namesIn(folder), ["a.txt", "docs", "z.zip"]);

    await page.keyboard.press("End");
    await page.locator("[aria-selected=true] a:focus", { hasText: "z.zip" }).waitFor();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Extract here" }).press("Enter");
    await isTold(page, "Extracted to “z”");
    await page.locator("[aria-selected=true]").getByRole("link", { name: "z", exact: true })
      .waitFor();
    assert.deepEqual(namesIn(join(folder, "z")), ["in.txt"]);
    await page.keyboard.press("ControlOrMeta+z");
    await page.getByRole("link", { name: "z", exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(namesIn(folder), ["a.txt", "docs", "z.zip"]);

    await using outside = await temporaryFolder();
    await plant(outside.path, { "a.txt": "new" });
    await page.locator("input[data-chooses=files]").setInputFiles(join(outside.path, "a.txt"));
    await page.getByRole("dialog").getByRole("button", { name: "Replace" }).press("Enter");
    await page.getByText("1 item uploaded").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "a.txt")), "new");
    await page.keyboard.press("ControlOrMeta+z");
    await eventually(async () => await Deno.readTextFile(join(folder, "a.txt")) === "a");

    await entry(page, "a.txt").click();
    await page.keyboard.press("ControlOrMeta+x");
    await entry(page, "docs").dblclick();
    await page.getByText("It feels lonely here…").waitFor();
    await page.keyboard.press("ControlOrMeta+v");
    await isTold(page, "1 item moved");
    await entry(page, "a.txt").waitFor();
    await page.keyboard.press("ControlOrMeta+z");
    await page.getByText("It feels lonely here…").waitFor();
    assert.deepEqual(namesIn(folder), ["a.txt", "docs", "z.zip"]);
    assert.deepEqual(namesIn(join(folder, "docs")), []);

    await page.goBack();
    await entry(page, "a.txt").click();
    await page.keyboard.press("ControlOrMeta+c");
    await entry(page, "docs").dblclick();
    await page.getByText("It feels lonely here…").waitFor();
    await page.keyboard.press("ControlOrMeta+v");
    await isTold(page, "1 item copied");
    await entry(page, "a.txt").waitFor();
    await page.keyboard.press("ControlOrMeta+z");
    await page.getByText("It feels lonely here…").waitFor();
    assert.deepEqual(namesIn(folder), ["a.txt", "docs", "z.zip"]);
    assert.deepEqual(namesIn(join(folder, "docs")), []);
  },
);

test(
  "by touch: copies, extractions and uploads are taken back, what these had replaced comes back",
  {
    tree: { "a.txt": "old", "z.zip": zipOf([{ name: "in.txt", content: "in" }]) },
    device: "phone",
    scheme: "dark",
  },
  async ({ page, folder }) => {
    await using outside = await temporaryFolder();
    await plant(outside.path, { "a.txt": "new", "b.txt": "b" });
    await listingAwake(page);
    await keepNews(page);
    await chooseFiles(page, ["a.txt", "b.txt"].map((name) => join(outside.path, name)));
    const prompt = page.getByRole("dialog");
    await prompt.getByText("Replace").first().tap();
    await prompt.getByRole("button", { name: "Continue" }).or(
      prompt.getByRole("button", { name: "Replace" }),
    ).first().tap();
    await page.getByText("2 items uploaded").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "a.txt")), "new");
    await page.getByRole("button", { name: "Undo" }).tap();
    await isTold(page, "2 changes undone");
    await entry(page, "b.txt").waitFor({ state: "detached" });
    assert.equal(await Deno.readTextFile(join(folder, "a.txt")), "old");
    assert.deepEqual(namesIn(folder), ["a.txt", "z.zip"]);

    const choose = async (name: string, action: string) => {
      await page.getByRole("button", { name: `Actions for ${name}` }).tap();
      await page.getByRole("menuitem", { name: action }).tap();
    };
    await choose("a.txt", "Copy to…");
    await prompt.getByRole("button", { name: "Copy", exact: true }).tap();
    await isTold(page, "1 item copied");
    await entry(page, "a(1).txt").waitFor();
    // It would move when another message went.
    const undone = page.getByText(/^Undone/);
    await undone.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).tap();
    await entry(page, "a(1).txt").waitFor({ state: "detached" });
    await choose("z.zip", "Extract here");
    await isTold(page, "Extracted to “z”");
    assert.deepEqual(namesIn(join(folder, "z")), ["in.txt"]);
    await undone.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).tap();
    await page.getByRole("link", { name: "z", exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(namesIn(folder), ["a.txt", "z.zip"]);
  },
);

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(
    `what was done last is listed, and undone from there (${device}, ${scheme})`,
    { tree: { docs: {}, "one.txt": "1", "two.txt": "2" }, device, scheme },
    async ({ page, folder, address }) => {
      const at = address.slice("/files".length);
      const entries = ["one.txt", "two.txt"].map((name) => ({
        path: `${at}${name}`,
        destination: `${at}docs/${name}`,
      }));
      const lost = [{ path: `${at}docs/two.txt` }];
      await call(page, "POST", "/api/jobs", { action: "move", entries }, "wait=30");
      await call(page, "POST", "/api/jobs", { action: "delete", entries: lost }, "wait=30");
      await listingAwake(page);
      if (device === "phone") await page.getByRole("button", { name: "Open menu" }).click();
      await page.getByRole("button", { name: "Recent actions" }).press("Enter");
      const dialog = page.getByRole("dialog", { name: "Recent actions" });
      await dialog.getByRole("listitem").first().getByText("Can’t be undone").waitFor();
      assert.deepEqual(await findBarriers(page), []);
      await dialog.getByRole("button", { name: "Undo: one.txt and 1 more" }).first().press("Enter");
      await isTold(page, "1 change undone");
      await page.getByText("Something there has changed since.").waitFor();
      await eventually(() => namesIn(folder).includes("one.txt"));
      assert.deepEqual(namesIn(folder), ["docs", "one.txt"]);
    },
  );
}

test(
  "a job of another device is shown, goes on when it is told to, and is cancelled",
  { tree: { docs: {} }, once: true },
  async ({ page, folder, address }) => {
    await plantMany(join(folder, "docs"), 5_000);
    await page.reload();
    await listingAwake(page);
    const at = address.slice("/files".length);
    /** Begins a job and pauses it; on a busy machine it may be over by then. */
    const begin = () =>
      eventually(async () => {
        const entries = [{ path: `${at}docs`, destination: `${at}copy` }];
        const { id } = await call(page, "POST", "/api/jobs", { action: "copy", entries });
        const paused = await ask(page, "PATCH", `/api/jobs/${id}`, { state: "paused" });
        if (paused.ok()) return true;
        await Deno.remove(join(folder, "copy"), { recursive: true });
        return false;
      });
    await begin();
    const tasks = page.getByRole("region", { name: "In progress" });
    await tasks.getByText("Copying 1 item").waitFor();
    await tasks.getByText(/^Paused/).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    assert.deepEqual(namesIn(folder).filter((name) => !name.startsWith(".")), ["docs"]);
    await tasks.getByRole("button", { name: "Resume" }).press("Enter");
    await entry(page, "copy").waitFor();
    await tasks.waitFor({ state: "detached" });
    assert.equal(namesIn(join(folder, "copy")).length, 5_000);

    await Deno.remove(join(folder, "copy"), { recursive: true });
    await begin();
    await tasks.getByRole("button", { name: "Stop" }).press("Enter");
    await tasks.waitFor({ state: "detached" });
    await eventually(() => namesIn(folder).join() === "docs");
  },
);

test(
  "a job that waits for its turn says so, and is cancelled",
  { once: true, device: "phone" },
  async ({ page, address }) => {
    const job = {
      ...{ id: "job-00000000", action: "copy", state: "queued", began: new Date().toISOString() },
      ...{ ended: null, total: 1, done: 0, failed: 0, name: "docs", from: "/", to: "/to" },
      progress: { total: 0, entries: 0, bytes: 0, size: 0 },
      ...{ undo: "nothing", arrived: [], failures: [], checksums: [] },
    };
    await page.route("**/api/watch/**", (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: `event: jobs\ndata: ${JSON.stringify([job])}\n\n`,
      }));
    await page.route("**/api/jobs/*", async (route) => {
      await page.unroute("**/api/watch/**");
      const { state } = route.request().postDataJSON();
      await route.fulfill({ json: { ...job, state, ended: job.began } });
    });
    await page.goto(address);
    const tasks = page.getByRole("region", { name: "In progress" });
    await tasks.getByText("Waiting").waitFor();
    await tasks.getByRole("button", { name: "Stop" }).tap();
    await tasks.waitFor({ state: "detached" });
  },
);
