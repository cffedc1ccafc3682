/** A page at the size it is made for: long folders, many uploads, slow lines. */
import type { CDPSession, Page } from "playwright-core";

/** Scrolls the listing smoothly for a while, then by leaps; answers with the most elements in its rows. */
export async function scrollAbout(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    const list = document.querySelector(".listing");
    if (!list) throw new Error("Cannot scroll: there is no listing");
    let most = 0;
    const frame = async () => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      most = Math.max(most, document.querySelectorAll(".rows *").length);
    };
    for (let step = 0; step < 60; step++) {
      list.scrollTop += 90;
      await frame();
    }
    for (let leap = 1; leap <= 12; leap++) {
      list.scrollTop = list.scrollHeight * ((leap * 7) % 12) / 12;
      for (let rest = 0; rest < 6; rest++) await frame();
    }
    await new Promise((resolve) => setTimeout(resolve));
    return most;
  });
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
