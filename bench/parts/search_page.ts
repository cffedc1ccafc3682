import type { Browser, Page } from "playwright-core";
import { openBrowser, visit } from "../../tests/support/browser/browser.ts";
import { eventually, listingAwake } from "../../tests/support/browser/listing.ts";
import { watchTasks } from "../../tests/support/browser/long_tasks.ts";
import { median } from "../race.ts";
import type { Setup } from "../set_up.ts";
import { atMost, duration, type Row } from "../table.ts";

/** What one search on the page took, in milliseconds. */
interface Taken {
  /** From the last key to the first hit on the screen, the debounce included. */
  first: number;
  /** To the last hit. */
  last: number;
  /** The longest task meanwhile; 0 when none took more than 50. */
  task: number;
}

/** A search on the page in which nearly every name fits: the first hit, the last, and stalls. */
export async function measureSearchPage(
  setup: Setup,
  name: string,
  count: number,
): Promise<Row[]> {
  const browser = await openBrowser();
  try {
    const taken: Taken[] = [];
    for (let round = 0; round <= setup.rounds; round++) {
      const one = await searchOnce(browser, setup, name);
      if (round > 0) taken.push(one);
    }
    const [first, last, task] = (["first", "last", "task"] as const).map((key) =>
      median(taken.map((one) => one[key]))
    );
    const many = count.toLocaleString("en");
    return [
      { what: `the first of ${many} hits on the page`, cubby: duration((first ?? NaN) / 1000) },
      { what: `the last of ${many} hits on the page`, cubby: duration((last ?? NaN) / 1000) },
      {
        what: "longest task of the page meanwhile",
        cubby: duration((task ?? NaN) / 1000),
        target: atMost(task ?? NaN, 50, "50 ms"),
      },
    ];
  } finally {
    await browser.close();
  }
}

async function searchOnce(browser: Browser, { one }: Setup, name: string): Promise<Taken> {
  const { server, token } = one;
  let taken: Taken = { first: NaN, last: NaN, task: NaN };
  await visit(browser, { url: server.url }, async (page) => {
    await page.context().addCookies([{ name: "auth", value: token, url: server.url }]);
    await page.goto(`/files/${name}/`);
    await listingAwake(page);
    const field = page.getByRole("combobox", { name: "Search" });
    await eventually(async () => {
      await page.keyboard.press("ControlOrMeta+f");
      return await field.isVisible();
    });
    const tasks = await watchTasks(page);
    await watchHits(page);
    await field.fill("holiday");
    const [first = NaN, last = NaN] = await page.evaluate(() =>
      Reflect.get(globalThis, "hits") as Promise<number[]>
    );
    taken = { first, last, task: await tasks.longest() };
  });
  return taken;
}

/** Notes when the first hit is drawn after the next input, and when the search has ended. */
async function watchHits(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = new Promise<number[]>((resolve) => {
      let start = NaN;
      let first = NaN;
      addEventListener("input", () => start = performance.now(), { capture: true, once: true });
      const look = () => {
        const hits = document.querySelector(".hits");
        if (Number.isNaN(first) && hits?.querySelector(".hit")) first = performance.now() - start;
        if (hits?.ariaBusy === "false") resolve([first, performance.now() - start]);
        else requestAnimationFrame(look);
      };
      look();
    });
    Reflect.set(globalThis, "hits", seen);
  });
}
