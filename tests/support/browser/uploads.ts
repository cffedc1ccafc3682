/** Uploads as a person makes them, at any number and speed. */
import type { CDPSession, Page } from "playwright-core";
import { islandsAwake } from "./awake.ts";

/** Presses the upload button, and chooses. */
export async function chooseFiles(page: Page, files: string[]): Promise<void> {
  await islandsAwake(page);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await (await chooser).setFiles(files);
}

/** Waits until no upload that was begun is under way, and fails when one did not arrive. */
export async function uploadsSettled(page: Page): Promise<void> {
  const panel = page.getByRole("region", { name: "All uploads" });
  // Its code comes with the first upload.
  await panel.waitFor();
  await panel.getByRole("progressbar").first().waitFor({ state: "hidden", timeout: 120_000 });
  const shown = await panel.innerText();
  if (/failed|cancelled/i.test(shown)) throw new Error(`An upload did not arrive:\n${shown}`);
}

/** Makes so many small files in the page, and answers with the way to have them uploaded. */
export async function makeFiles(page: Page, count: number): Promise<() => Promise<void>> {
  const input = page.locator("input[data-chooses=files]");
  await input.evaluate((input: HTMLInputElement, count) => {
    const chosen = new DataTransfer();
    for (let index = 0; index < count; index++) {
      chosen.items.add(new File(["0123456789".repeat(100)], `file ${index}.txt`));
    }
    input.files = chosen.files;
  }, count);
  return () => input.dispatchEvent("change", { bubbles: true });
}

/** What a session has limited stays so until the same session changes it. */
const networks = new WeakMap<Page, CDPSession>();

/** Limits how fast a page sends, in bytes a second; -1 for as fast as it goes. */
export async function uploadAt(page: Page, uploadThroughput: number): Promise<void> {
  const network = networks.get(page) ?? await page.context().newCDPSession(page);
  networks.set(page, network);
  await network.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
  });
}
