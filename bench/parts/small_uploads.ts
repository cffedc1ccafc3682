import { join } from "node:path";
import { openBrowser, visit } from "../../tests/support/browser/browser.ts";
import { entry, listingAwake } from "../../tests/support/browser/listing.ts";
import { watchTasks } from "../../tests/support/browser/long_tasks.ts";
import { makeFiles } from "../../tests/support/browser/uploads.ts";
import { plant } from "../../tests/support/disks/files.ts";
import { race, secondsOf } from "../race.ts";
import type { Setup, Target } from "../set_up.ts";
import { atMost, duration, rate, type Row } from "../table.ts";

const count = 1_000;
const atOnce = 5;
/** Files of one request for many, at most 100 in the page. */
const filesTogether = 50;
/** Files that are chosen in the page. */
const chosen = 10_000;
const content = new Uint8Array(1024).fill(97);

/**
 * Many small files, five at once as the browser sends them, against the same files written, synced
 * and renamed one after the other in one process.
 */
export async function measureSmallUploads(setup: Setup): Promise<Row[]> {
  const { one, many, root, rounds } = setup;
  const turn = { number: 0 };
  const ours = [one, many].map((target) => ({
    name: target.name,
    run: () => filesPerSecond(() => sendAll(target, `batch-${turn.number++}`)),
  }));
  const together = {
    name: one.name,
    run: () => filesPerSecond(() => sendTogether(one, `batch-${turn.number++}`)),
  };
  const theirs = {
    name: "write, fsync, rename",
    run: () => filesPerSecond(() => writeAll(join(root, "uploads", `batch-${turn.number++}`))),
  };
  const results = await race([...ours, together, theirs], rounds);
  const baseline = results.at(-1) ?? NaN;
  const direct = [...ours, together].map(({ name }, index) => ({
    what: index < ours.length
      ? `uploads of 1 KiB, ${atOnce} at once, ${name}`
      : `uploads of 1 KiB, ${filesTogether} in each of ${atOnce} requests, ${name}`,
    cubby: rate(results[index] ?? NaN),
    against: `write, fsync, rename ${rate(baseline)}`,
    ratio: baseline / (results[index] ?? NaN),
  }));
  return [...direct, ...await sendFromPage(setup)];
}

/** Small files that are chosen in the page, and how long it keeps its user waiting meanwhile. */
async function sendFromPage({ one: { server, token }, root }: Setup): Promise<Row[]> {
  const folder = `page-${crypto.randomUUID()}`;
  await plant(root, { [folder]: { "here already.txt": "" } });
  const browser = await openBrowser();
  let [seconds, longest] = [NaN, NaN];
  try {
    await visit(browser, { url: server.url }, async (page) => {
      await page.context().addCookies([{ name: "auth", value: token, url: server.url }]);
      // To write takes more than the cookie.
      await page.addInitScript((token) => localStorage.setItem("jwt", token), token);
      await page.goto(`/files/${folder}/`);
      await listingAwake(page);
      const upload = await makeFiles(page, chosen);
      const tasks = await watchTasks(page);
      seconds = await secondsOf(async () => {
        await upload();
        const panel = page.getByRole("region", { name: "All uploads" });
        await panel.waitFor();
        await panel.getByRole("progressbar").first().waitFor({ state: "hidden", timeout: 600_000 });
      });
      await entry(page, "file 0.txt").waitFor();
      longest = await tasks.longest();
    });
  } finally {
    await browser.close();
  }
  return [{
    what: `the page uploads ${chosen.toLocaleString("en")} files of 1 KiB`,
    cubby: rate(chosen / seconds),
  }, {
    what: "longest task of the page meanwhile",
    cubby: duration(longest / 1000),
    target: atMost(longest, 50, "50 ms"),
  }];
}

async function filesPerSecond(work: () => unknown): Promise<number> {
  return count / await secondsOf(work);
}

async function sendAll({ server, token }: Target, folder: string): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const headers = { "x-auth": token };
  const sender = async () => {
    for (const number of numbers) {
      const url = `${server.url}/api/resources/uploads/${folder}/${number}.txt`;
      const answer = await fetch(url, { method: "POST", headers, body: content });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`Cannot upload: ${answer.status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
}

/** As the page sends many. */
async function sendTogether({ server, token }: Target, folder: string): Promise<void> {
  const starts = Array.from({ length: count / filesTogether }, (_, part) => part * filesTogether);
  const parts = starts.values();
  const sender = async () => {
    for (const start of parts) {
      const files = Array.from(
        { length: filesTogether },
        (_, index) => ({ path: `${start + index}.txt`, size: content.length }),
      );
      const list = `${JSON.stringify({ files })}\n`;
      const body = new Blob([list, ...files.map(() => content)]);
      const url = `${server.url}/api/uploads/uploads/${folder}/`;
      const answer = await fetch(url, { method: "POST", headers: { "x-auth": token }, body });
      const received = answer.ok ? await answer.json() : await answer.text();
      const isDone = answer.ok &&
        received.files.every(({ status }: { status: number }) => status === 200);
      if (!isDone) throw new Error(`Cannot upload: ${answer.status} ${JSON.stringify(received)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
}

function writeAll(folder: string): void {
  Deno.mkdirSync(folder);
  for (let number = 0; number < count; number++) {
    const temporary = join(folder, `.${number}`);
    {
      using file = Deno.openSync(temporary, { write: true, createNew: true });
      file.writeSync(content);
      file.syncSync();
    }
    Deno.renameSync(temporary, join(folder, `${number}.txt`));
  }
}
