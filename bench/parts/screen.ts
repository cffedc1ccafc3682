import type { Browser, Page } from "playwright-core";
import { openBrowser, visit } from "../../tests/support/browser/browser.ts";
import { plant } from "../../tests/support/disks/files.ts";
import { entry, listingAwake, scrollAbout } from "../../tests/support/browser/listing.ts";
import { watchTasks } from "../../tests/support/browser/long_tasks.ts";
import { makeFiles, uploadAt } from "../../tests/support/browser/uploads.ts";
import { scriptBytes } from "../../tests/support/browser/scripts.ts";
import { largestPaint, slowestInput, untilShown } from "../../tests/support/browser/timings.ts";
import { race } from "../race.ts";
import type { Setup } from "../set_up.ts";
import { atMost, duration, type Row } from "../table.ts";

/** Does something on a page, and answers with what it took. */
type Act = (page: Page, setup: Setup) => Promise<number>;

/** What a person waits for in the browser, each time in a new profile. */
export async function measureScreen(setup: Setup): Promise<Row[]> {
  const browser = await openBrowser();
  const largest = Math.max(...setup.folders);
  const many = largest.toLocaleString("en");
  try {
    return [
      await weigh(browser, setup),
      await time(browser, setup, "largest contentful paint of a listing of 50", 150, paint),
      await time(
        browser,
        setup,
        "the same on the first visit, with nothing cached",
        null,
        firstPaint,
      ),
      await time(browser, setup, "first rows of a folder of 1,000, opened by key", 100, open),
      await time(browser, setup, `slowest answer to an input among ${many} entries`, 100, work),
      await time(browser, setup, `longest task while ${many} entries are scrolled`, 50, scroll),
      await time(browser, setup, "longest task while 10,000 files are queued", 50, queue),
    ];
  } finally {
    await browser.close();
  }
}

/** How much JavaScript the listing loads before the first click. */
async function weigh(browser: Browser, setup: Setup): Promise<Row> {
  const bytes = await onPage(
    browser,
    setup,
    (page) => scriptBytes(page, () => page.goto("/files/of-50/")),
  );
  const kibibytes = bytes / 1024;
  return {
    what: "JavaScript of /files before any click, gzip",
    cubby: `${kibibytes.toFixed(1)} KB`,
    target: atMost(kibibytes, 90, "90 KB"),
  };
}

async function time(
  browser: Browser,
  setup: Setup,
  what: string,
  limitMs: number | null,
  act: Act,
): Promise<Row> {
  const run = async () => await onPage(browser, setup, act) / 1000;
  const [taken = NaN] = await race([{ name: what, run }], setup.rounds);
  const target = limitMs === null ? undefined : atMost(taken * 1000, limitMs, `${limitMs} ms`);
  return { what, cubby: duration(taken), target };
}

async function onPage(
  browser: Browser,
  setup: Setup,
  act: Act,
): Promise<number> {
  const { server, token } = setup.one;
  let figure = NaN;
  // Uploads that are given up show in the console.
  await visit(browser, { url: server.url, expected: [0] }, async (page) => {
    await page.context().addCookies([{ name: "auth", value: token, url: server.url }]);
    figure = await act(page, setup);
  });
  return figure;
}

/** With what the first visit has left in the cache, once that page has come to rest. */
async function paint(page: Page): Promise<number> {
  await page.goto("/files/");
  await listingAwake(page);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  return await firstPaint(page);
}

async function firstPaint(page: Page): Promise<number> {
  await page.goto("/files/of-50/");
  return await largestPaint(page);
}

async function open(page: Page): Promise<number> {
  await page.goto("/files/");
  await listingAwake(page);
  await entry(page, "of-1000").click();
  return await untilShown(page, "item of 1000", () => page.keyboard.press("Enter"));
}

/** Goes about, selects some and all, and lets go again. */
async function work(page: Page, { folders }: Setup): Promise<number> {
  const count = Math.max(...folders);
  await page.goto(`/files/of-${count}/`);
  await listingAwake(page);
  return await slowestInput(page, async () => {
    await page.locator(".row__name").nth(3).click();
    for (let press = 0; press < 10; press++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+End");
    await page.keyboard.press("ControlOrMeta+a");
    await page.getByText(`${count.toLocaleString("en")} selected`).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Home");
  });
}

/** A task of at most 50 ms is not told apart: it counts as 0. */
async function scroll(page: Page, { folders }: Setup): Promise<number> {
  await page.goto(`/files/of-${Math.max(...folders)}/`);
  await listingAwake(page);
  const tasks = await watchTasks(page);
  await scrollAbout(page);
  return await tasks.longest();
}

async function queue(page: Page, { root, one: { token } }: Setup): Promise<number> {
  // To write takes more than the cookie.
  await page.addInitScript((token) => localStorage.setItem("jwt", token), token);
  const folder = `queue-${crypto.randomUUID()}`;
  await plant(root, { [folder]: { "here already.txt": "" } });
  await page.goto(`/files/${folder}/`);
  await listingAwake(page);
  await uploadAt(page, 2_000);
  const upload = await makeFiles(page, 10_000);
  const tasks = await watchTasks(page);
  await upload();
  const panel = page.getByRole("region", { name: "All uploads" });
  await panel.getByText("of 10,000 done").waitFor();
  await panel.getByText("file 3.txt").waitFor();
  await panel.getByRole("button", { name: "Cancel all uploads" }).click();
  await panel.getByRole("progressbar").first().waitFor({ state: "hidden" });
  return await tasks.longest();
}
