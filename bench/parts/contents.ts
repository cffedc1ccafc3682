import { join } from "node:path";
import type { ContentIndexState } from "../../lib/shared/schemas/contents.ts";
import { delay } from "../../lib/shared/delay.ts";
import { temporaryFolder } from "../../tests/support/disks/files.ts";
import { startServer } from "../../tests/support/server/server.ts";
import { curl, runQuietly } from "../commands.ts";
import { race, secondsOf } from "../race.ts";
import { type Setup, signIn } from "../set_up.ts";
import { duration, type Row } from "../table.ts";

const wholeCount = 20_000;
const quickCount = 500;
const fileBytes = 5_000;

/** One file has it. */
const needle = "walrus";

/** The index of what texts hold: how long it takes to be made, and a word found by it and by `grep`. */
export async function measureContents({ rounds }: Setup): Promise<Row[]> {
  const count = rounds > 1 ? wholeCount : quickCount;
  await using folder = await temporaryFolder();
  const root = join(folder.path, "root");
  plantTexts(root, count);
  await using server = await startServer({ root });
  const token = await signIn(server);
  const headers = { "x-auth": token, "content-type": "application/json" };

  const made = await secondsOf(async () => {
    const body = JSON.stringify({ contents: { enabled: true } });
    const answer = await fetch(`${server.url}/api/settings`, { method: "PUT", headers, body });
    if (!answer.ok) throw new Error(`Cannot search contents: ${await answer.text()}`);
    while (await stateOf(server.url, token) !== "ready") await delay(20);
  });
  const url = `${server.url}/api/search/?contents=true&query=${needle}`;
  const [ours = NaN, theirs = NaN] = await race([
    { name: "index", run: () => curl(url, "--header", `X-Auth: ${token}`) },
    { name: "grep", run: () => secondsOf(() => runQuietly("grep", "-rliF", needle, root)) },
  ], rounds);
  const files = `${count.toLocaleString("en")} texts of ${fileBytes / 1000} KB`;
  return [
    { what: `the index of ${files}, in the background`, cubby: duration(made) },
    {
      what: `a word among ${files}`,
      cubby: duration(ours),
      against: `\`grep -rliF\` ${duration(theirs)}`,
      ratio: ours / theirs,
    },
  ];
}

async function stateOf(url: string, token: string): Promise<ContentIndexState["state"]> {
  const answer = await fetch(`${url}/api/contents`, { headers: { "x-auth": token } });
  return (await answer.json()).state;
}

/** A hundred texts a folder, of words that repeat. */
function plantTexts(root: string, count: number): void {
  const words = "ice sea snow wind fish seal north boat night light harbour winter".split(" ");
  for (let index = 0; index < count; index++) {
    const folder = join(root, `folder ${Math.floor(index / 100)}`);
    if (index % 100 === 0) Deno.mkdirSync(folder, { recursive: true });
    let text = index === Math.floor(count / 2) ? `${needle} ` : "";
    for (let at = index; text.length < fileBytes; at += 7) text += `${words[at % 12]}${at % 997} `;
    Deno.writeTextFileSync(join(folder, `letter ${index}.txt`), text);
  }
}
