import { openBrowser, visit } from "../tests/support/browser.ts";
import { scriptBytes } from "../tests/support/scripts.ts";
import type { Stage } from "./stage.ts";
import { atMost, type Row } from "./table.ts";

/** How much JavaScript the listing loads before the first click. */
export async function measurePage({ one: { server, token } }: Stage): Promise<Row[]> {
  const browser = await openBrowser();
  let bytes = NaN;
  try {
    await visit(browser, { url: server.url }, async (page) => {
      await page.context().addCookies([{ name: "auth", value: token, url: server.url }]);
      bytes = await scriptBytes(page, () => page.goto("/files/of-50/"));
    });
  } finally {
    await browser.close();
  }
  const kibibytes = bytes / 1024;
  return [{
    what: "JavaScript of /files before any click, gzip",
    cubby: `${kibibytes.toFixed(1)} KB`,
    target: atMost(kibibytes, 60, "60 KB"),
  }];
}
