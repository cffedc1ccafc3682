/** The site as an installed app: what it shows without a server, and what is shared with it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { eventually, listingAwake } from "../../support/browser/listing.ts";
import { pickFolder } from "../../support/browser/prompts.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

test(
  "an installed site tells that the server is away, goes on by itself, and keeps nothing of the user",
  { installed: true, expected: [0, 503], tree: { "a.txt": "private" } },
  async ({ page, address }) => {
    await listingAwake(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.goto(`${address}a.txt`);
    await page.getByText("private").first().waitFor();
    await page.context().setOffline(true);
    await page.goto(address);
    await page.getByRole("heading", { name: "The server can’t be reached." }).waitFor();
    await page.context().setOffline(false);
    await listingAwake(page);

    const kept = await page.evaluate(async () => {
      const addresses: string[] = [];
      for (const name of await caches.keys()) {
        for (const { url } of await (await caches.open(name)).keys()) addresses.push(url);
      }
      return addresses.map((url) => new URL(url).pathname);
    });
    assert.ok(kept.includes("/offline") && kept.includes("/styles.css"), `${kept}`);
    for (const path of kept) {
      assert.match(path, /^\/(offline$|_fresh\/js\/|[\w-]+\.(css|js|svg)$|icons\/)/);
    }
  },
);

test(
  "files from the system's share menu go to the folder that is chosen",
  { installed: true, tree: { inbox: {} } },
  async ({ page, folder, address }) => {
    const isInstalled = () => navigator.serviceWorker.controller !== null;
    // A page that is left while the worker becomes active has none, so this one is waited for.
    await page.waitForFunction(isInstalled);
    await page.addInitScript(() => {
      const { matchMedia } = globalThis;
      // Chromium cannot pretend to be a window of an app.
      globalThis.matchMedia = (query: string) =>
        matchMedia.call(globalThis, query.includes("standalone") ? "all" : query);
    });
    const share = async (name: string) => {
      await page.goto(address);
      await listingAwake(page);
      await page.waitForFunction(isInstalled);
      await page.evaluate((name) => {
        const form = document.createElement("form");
        Object.assign(form, {
          method: "post",
          action: "/share-target",
          enctype: "multipart/form-data",
        });
        const input = Object.assign(document.createElement("input"), {
          type: "file",
          name: "files",
        });
        const transfer = new DataTransfer();
        transfer.items.add(new File(["a photo"], name, { type: "image/jpeg" }));
        input.files = transfer.files;
        form.append(input);
        document.body.append(form);
        form.submit();
      }, name);
    };
    await share("#%?日本 `.jpg");
    const asking = page.getByRole("dialog", { name: "Upload shared files" });
    await asking.getByText("#%?日本 `.jpg").waitFor();
    assert.equal(await page.evaluate(() => caches.has("cubby:shared")), false);
    const own = folder.split("/").at(-1) ?? "";
    await pickFolder(page, own);
    await asking.getByRole("button", { name: "Upload" }).click();
    const wanted = "#%?日本 `.jpg";
    await eventually(() => [...Deno.readDirSync(folder)].some(({ name }) => name === wanted));
    assert.equal(await Deno.readTextFile(join(folder, wanted)), "a photo");
  },
);
