import { join } from "node:path";
import { race, secondsOf } from "./race.ts";
import type { Stage, Target } from "./stage.ts";
import { rate, type Row } from "./table.ts";

const count = 1_000;
const atOnce = 5;
const content = new Uint8Array(1024).fill(97);

/**
 * Many small files, five at once as the browser sends them, against the same files written, synced
 * and renamed one after the other in one process.
 */
export async function measureSmallUploads({ one, many, root, rounds }: Stage): Promise<Row[]> {
  const turn = { number: 0 };
  const ours = [one, many].map((target) => ({
    name: target.name,
    run: () => filesPerSecond(() => sendAll(target, `batch-${turn.number++}`)),
  }));
  const theirs = {
    name: "write, fsync, rename",
    run: () => filesPerSecond(() => writeAll(join(root, "uploads", `batch-${turn.number++}`))),
  };
  const results = await race([...ours, theirs], rounds);
  const baseline = results.at(-1) ?? NaN;
  return ours.map(({ name }, index) => ({
    what: `uploads of 1 KiB, ${atOnce} at once, ${name}`,
    cubby: rate(results[index] ?? NaN),
    against: `write, fsync, rename ${rate(baseline)}`,
    ratio: baseline / (results[index] ?? NaN),
  }));
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
