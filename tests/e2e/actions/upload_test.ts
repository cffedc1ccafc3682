import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { dropFiles } from "../../support/browser/drop.ts";
import { plant, plantBytes, sha256, temporaryFolder } from "../../support/disks/files.ts";
import { entry, eventually, listingAwake, namesShown } from "../../support/browser/listing.ts";
import { chooseFiles, uploadAt, uploadsSettled } from "../../support/browser/uploads.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [2] });

/** Downloads an entry by its page, as a person does, and answers with the file's SHA-256. */
async function download(page: Page, name: string): Promise<string> {
  await entry(page, name).click();
  const started = page.waitForEvent("download");
  const bar = page.getByRole("group", { name: "Actions for the selection" });
  await bar.getByRole("button", { name: "Download" }).click();
  const file = await started;
  // Chromium itself keeps "?" out of the names of files it saves.
  assert.equal(file.suggestedFilename(), name.replace("?", "_"));
  return await sha256(await file.path());
}

/** Watches the bar of all uploads; tells at how many places it has stood. */
async function watchBar(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const places = new Set<string | null>();
    Reflect.set(globalThis, "places", places);
    new MutationObserver(() => {
      const bar = document.querySelector("progress[aria-label='All uploads']");
      if (bar) places.add(bar.getAttribute("value"));
    }).observe(document, { childList: true, subtree: true, attributeFilter: ["value"] });
  });
  return () => page.evaluate(() => Reflect.get(globalThis, "places").size);
}

test("dropped and chosen files arrive byte by byte, and stay", {}, async ({ page, folder }) => {
  await using outside = await temporaryFolder();
  const sums: Record<string, string> = {};
  for (const [name, size] of [["a.bin", 1], ["b.bin", 70_000], ["c.bin", 3_000_000]] as const) {
    sums[name] = await plantBytes(join(outside.path, name), size);
  }
  sums["chosen.bin"] = await plantBytes(join(outside.path, "chosen.bin"), 500_000);

  const dropped = ["a.bin", "b.bin", "c.bin"].map((name) => join(outside.path, name));
  await dropFiles(page, page.getByRole("main"), dropped);
  for (const name of ["a.bin", "b.bin", "c.bin"]) await entry(page, name).waitFor();
  await chooseFiles(page, [join(outside.path, "chosen.bin")]);
  await entry(page, "chosen.bin").waitFor();
  await uploadsSettled(page);

  await page.reload();
  await listingAwake(page);
  assert.deepEqual(await namesShown(page), Object.keys(sums));
  for (const [name, sum] of Object.entries(sums)) {
    assert.equal(await sha256(join(folder, name)), sum);
    assert.equal(await download(page, name), sum);
  }
});

test(
  "200 MB go up and come down, with progress to be seen",
  { once: true },
  async ({ page, folder }) => {
    await using outside = await temporaryFolder();
    const sum = await plantBytes(join(outside.path, "large.bin"), 200_000_000);
    // Slow enough that nobody can miss it: 100 MB/s.
    await uploadAt(page, 100_000_000);
    const seen = await watchBar(page);
    await chooseFiles(page, [join(outside.path, "large.bin")]);
    await eventually(async () => await seen() > 2);
    await uploadsSettled(page);

    assert.equal(await sha256(join(folder, "large.bin")), sum);
    assert.equal(await download(page, "large.bin"), sum);
  },
);

test("a dropped folder arrives with all that is in it", {}, async ({ page, folder }) => {
  await using outside = await temporaryFolder();
  await plant(outside.path, {
    trip: { "plan.txt": "north", photos: { "1.jpg": "one", "2.jpg": "two" }, empty: {} },
  });
  await dropFiles(page, page.getByRole("main"), [join(outside.path, "trip")]);
  await entry(page, "trip").waitFor();
  await uploadsSettled(page);

  assert.equal(await Deno.readTextFile(join(folder, "trip", "plan.txt")), "north");
  assert.equal(await Deno.readTextFile(join(folder, "trip", "photos", "2.jpg")), "two");
  assert.ok((await Deno.stat(join(folder, "trip", "empty"))).isDirectory);
  await entry(page, "trip").dblclick();
  await entry(page, "photos").waitFor();
  assert.deepEqual(await namesShown(page), ["empty", "photos", "plan.txt"]);
});

test("a name of awkward characters is kept", {}, async ({ page, folder, address }) => {
  const name = "#%?日本 `.txt";
  await using outside = await temporaryFolder();
  await plant(outside.path, { [name]: "kept" });
  await dropFiles(page, page.getByRole("main"), [join(outside.path, name)]);
  await entry(page, name).waitFor();
  await uploadsSettled(page);

  assert.deepEqual((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), [name]);
  await download(page, name);
  await entry(page, name).dblclick();
  await page.getByRole("heading", { name }).first().waitFor();
  assert.equal(decodeURIComponent(new URL(page.url()).pathname), `${address}${name}`);
  await page.reload();
  await page.getByRole("heading", { name }).first().waitFor();
});

test(
  "a taken name is asked about, and replaced only when told to",
  { tree: { "notes.txt": "old" } },
  async ({ page, folder }) => {
    await using outside = await temporaryFolder();
    await plant(outside.path, { "notes.txt": "new" });
    const upload = () => dropFiles(page, page.getByRole("main"), [join(outside.path, "notes.txt")]);

    await upload();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await Deno.readTextFile(join(folder, "notes.txt")), "old");

    await upload();
    await page.getByRole("dialog").getByRole("button", { name: "Keep both" }).click();
    await entry(page, "notes(1).txt").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "notes.txt")), "old");

    await upload();
    await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
    await eventually(async () => await Deno.readTextFile(join(folder, "notes.txt")) === "new");
  },
);

test(
  "what was uploaded is marked, and shown wherever one is by then",
  { tree: { docs: { "old.txt": "" } } },
  async ({ page, address }) => {
    await using outside = await temporaryFolder();
    await plant(outside.path, { "a.txt": "a", "b.txt": "b" });
    await page.goto(`${address}docs/`);
    await listingAwake(page);
    const files = ["a.txt", "b.txt"].map((name) => join(outside.path, name));
    // The page itself looks for them: they are marked for a moment only.
    const marked = page.waitForFunction(() => {
      const rows = [...document.querySelectorAll(".row[data-new] .row__name")];
      const names = rows.map(({ textContent }) => textContent);
      return names.includes("a.txt") ? names : null;
    });
    await dropFiles(page, page.getByRole("main"), files);
    const names = await (await marked).jsonValue();
    assert.ok(!names?.includes("old.txt"), `${names}`);
    const panel = page.getByRole("region", { name: "All uploads" });
    await panel.getByText("2 items uploaded").waitFor();
    assert.deepEqual(await findBarriers(page), []);

    const show = await panel.getByRole("button", { name: "Show" }).elementHandle();
    // In one task: the listing is that of the former folder still.
    await page.getByRole("link", { name: "My files" }).first().evaluate(
      (link: HTMLElement, show) => {
        link.click();
        (show as HTMLElement).click();
      },
      show,
    );
    await page.waitForFunction((path) => location.pathname === path, `${address}docs/`);
    await page.getByText("2 selected · 2 bytes").waitFor();
    await page.locator(".row[aria-selected=true]", { hasText: "a.txt" }).waitFor();
    await panel.waitFor({ state: "detached" });
  },
);

test("files on the clipboard are pasted", {}, async ({ page, folder }) => {
  await page.getByText("It feels lonely here…").waitFor();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload files" }).click();
  await chooser;
  await page.getByText("It feels lonely here…").click({ clickCount: 3 });
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(["from elsewhere"], "pasted.txt"));
    const options = { clipboardData, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new ClipboardEvent("paste", options));
  });
  await entry(page, "pasted.txt").waitFor();
  await uploadsSettled(page);
  assert.equal(await Deno.readTextFile(join(folder, "pasted.txt")), "from elsewhere");
});
