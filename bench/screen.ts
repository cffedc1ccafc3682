import type { Browser, Page } from "playwright-core";
import { openBrowser, visit } from "../tests/support/browser.ts";
import { entry, listingAwake } from "../tests/support/listing.ts";
import { scriptBytes } from "../tests/support/scripts.ts";
import { largestPaint, slowestInput, untilShown } from "../tests/support/timings.ts";
import { race } from "./race.ts";
import type { Stage } from "./stage.ts";
import { atMost, duration, type Row } from "./table.ts";

/** What a person waits for in the browser, each time in a new profile. */
export async function measureScreen(stage: Stage): Promise<Row[]> {
  const browser = await openBrowser();
  try {
    return [
      await weigh(browser, stage),
      await time(browser, stage, "largest contentful paint of a listing of 50", 150, paint),
      await time(
        browser,
        stage,
        "the same on the first visit, with nothing cached",
        null,
        firstPaint,
      ),
      await time(browser, stage, "first rows of a folder of 1,000, opened by key", 100, open),
      await time(browser, stage, "slowest answer to an input among 100,000 entries", 100, work),
    ];
  } finally {
    await browser.close();
  }
}

/** How much JavaScript the listing loads before the first click. */
async function weigh(browser: Browser, stage: Stage): Promise<Row> {
  const bytes = await onPage(
    browser,
    stage,
    (page) => scriptBytes(page, () => page.goto("/files/of-50/")),
  );
  const kibibytes = bytes / 1024;
  return {
    what: "JavaScript of /files before any click, gzip",
    cubby: `${kibibytes.toFixed(1)} KB`,
    target: atMost(kibibytes, 75, "75 KB"),
  };
}

async function time(
  browser: Browser,
  stage: Stage,
  what: string,
  limitMs: number | null,
  act: (page: Page) => Promise<number>,
): Promise<Row> {
  const run = async () => await onPage(browser, stage, act) / 1000;
  const [taken = NaN] = await race([{ name: what, run }], stage.rounds);
  const target = limitMs === null ? undefined : atMost(taken * 1000, limitMs, `${limitMs} ms`);
  return { what, cubby: duration(taken), target };
}

async function onPage(
  browser: Browser,
  { one: { server, token } }: Stage,
  act: (page: Page) => Promise<number>,
): Promise<number> {
  let figure = NaN;
  await visit(browser, { url: server.url }, async (page) => {
    await page.context().addCookies([{ name: "auth", value: token, url: server.url }]);
    figure = await act(page);
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
async function work(page: Page): Promise<number> {
  await page.goto("/files/of-100000/");
  await listingAwake(page);
  return await slowestInput(page, async () => {
    await page.locator(".row__name").nth(3).click();
    for (let press = 0; press < 10; press++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+End");
    await page.keyboard.press("ControlOrMeta+a");
    await page.getByText("100,000 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Home");
  });
}
