import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser, visit } from "../../tests/support/browser/browser.ts";
import { entry, listingAwake } from "../../tests/support/browser/listing.ts";
import { chooseFiles } from "../../tests/support/browser/uploads.ts";
import { signIn } from "../../tests/support/browser/browser_tests.ts";
import { plantNoise, sha256, temporaryFolder } from "../../tests/support/disks/files.ts";
import { startServer } from "../../tests/support/server/server.ts";
import { startProxy } from "../nginx.ts";
import type { Setup } from "../set_up.ts";
import { atMost, type Row } from "../table.ts";

/** The settings' largest part, in bytes. */
const maxPartBytes = 10 * 2 ** 20;

/** Parts are hardly smaller, in bytes; and the headers of each, which nginx counts as well. */
const smallPart = 4 * 2 ** 20;
const headers = 1024;

/**
 * A large file from the page through nginx with `client_max_body_size 100m`, while the server is
 * killed three times and the page reloaded once: the bytes that travelled more than once, by nginx's
 * own count.
 */
export async function measureResume({ bigSize, rounds }: Setup): Promise<Row[]> {
  const total = rounds === 1 ? bigSize : 5 * 2 ** 30;
  await using folder = await temporaryFolder();
  const [root, source] = [join(folder.path, "root"), join(folder.path, "large.bin")];
  await Deno.mkdir(root);
  await Deno.writeTextFile(join(root, "a.txt"), "a");
  await plantNoise(source, total);
  const kept = ["--database", join(folder.path, "kept.kv")];
  let server = await startServer({ root, flags: kept });
  const browser = await openBrowser();
  try {
    const port = new URL(server.url).port;
    await using proxy = await startProxy(server.url, folder.path, "100m");
    const restart = async () => {
      Deno.kill(server.pid, "SIGKILL");
      await server.stop();
      server = await startServer({ root, flags: [...kept, "--port", port] });
    };
    await visit(browser, { url: proxy.url, expected: [0, 502, 503, 504] }, async (page) => {
      await signIn(page, server, "/files/");
      await chooseFiles(page, [source]);
      for (const part of [0.15, 0.35]) {
        await reached(page, part);
        await restart();
      }
      await reached(page, 0.5);
      await page.reload();
      await listingAwake(page);
      await chooseFiles(page, [source]);
      await reached(page, 0.75);
      await restart();
      await entry(page, "large.bin").waitFor({ timeout: 600_000 });
      await page.goto("about:blank");
    });
    const sum = await sha256(join(root, "large.bin"));
    if (sum !== await sha256(source)) throw new Error("Cannot resume: the file is another");
    const again = await receivedBy(proxy.log) - total;
    const most = 4 * maxPartBytes + total / smallPart * headers;
    const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
    return [{
      what: `sent twice of ${mebibytes(total)}, with three kills and a reload`,
      cubby: mebibytes(again),
      target: atMost(again, most, `${mebibytes(most)}, a part each, and all headers`),
    }];
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** The bytes of all parts that nginx received, those included that the server did not take. */
async function receivedBy(log: string): Promise<number> {
  const lines = (await Deno.readTextFile(log)).split("\n").map((line) => line.split(" "));
  return lines.filter(([method]) => method === "PATCH")
    .reduce((bytes, [, , length = 0]) => bytes + Number(length), 0);
}

/** Waits until the panel shows so much of the whole. */
async function reached(page: Page, part: number): Promise<void> {
  await page.waitForFunction(
    (percent) => {
      const bar = document.querySelector(".uploads progress");
      return bar instanceof HTMLProgressElement && bar.value >= percent;
    },
    part * 100,
    { timeout: 600_000 },
  );
}
