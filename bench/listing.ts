import { join } from "node:path";
import { curl, runQuietly } from "./commands.ts";
import { median, race, secondsOf } from "./race.ts";
import type { Stage } from "./stage.ts";
import { atMost, duration, type Row } from "./table.ts";

/** Whole listings against `ls -l` and `find -printf`, and how long others wait meanwhile. */
export async function measureListing(stage: Stage): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of stage.folders.slice(1)) rows.push(...await listing(stage, count));
  const last = stage.folders.at(-1) ?? 0;
  rows.push(await firstWindow(stage, last));
  for (const count of stage.folders.slice(1)) rows.push(await stall(stage, count));
  return rows;
}

async function listing({ one, root, rounds }: Stage, count: number): Promise<Row[]> {
  const folder = join(root, `of-${count}`);
  const printed = ["-maxdepth", "1", "-printf", "%y %s %T@ %m %f\\n"];
  const [ours = NaN, ls = NaN, find = NaN] = await race([
    { name: `listing of ${count}`, run: () => list(one, count) },
    { name: "ls -l", run: () => secondsOf(() => runQuietly("ls", "-l", folder)) },
    { name: "find", run: () => secondsOf(() => runQuietly("find", folder, ...printed)) },
  ], rounds);
  const what = `listing of ${count.toLocaleString("en")}`;
  const cubby = duration(ours);
  const targets: Record<number, Row["target"]> = {
    10_000: atMost(ours, 0.06, "60 ms"),
    100_000: atMost(ours / ls, 2, "2x"),
  };
  return [
    { what, cubby, against: `\`ls -l\` ${duration(ls)}`, ratio: ours / ls, target: targets[count] },
    { what, cubby, against: `\`find -printf\` ${duration(find)}`, ratio: ours / find },
  ];
}

async function firstWindow({ one, rounds }: Stage, count: number): Promise<Row> {
  const run = () => list(one, count, "?offset=0&limit=50");
  const [ours = NaN] = await race([{ name: "first 50", run }], rounds);
  return { what: `the first 50 of ${count.toLocaleString("en")}`, cubby: duration(ours) };
}

/** The longest wait of another connection while a listing is made, beyond its wait at rest. */
async function stall({ one, rounds }: Stage, count: number): Promise<Row> {
  const pinger = new Worker(new URL("./pinger.ts", import.meta.url), { type: "module" });
  const read = () =>
    new Promise<number>((resolve) => {
      pinger.addEventListener("message", ({ data }) => resolve(data), { once: true });
      pinger.postMessage("read");
    });
  const waits = { listing: [] as number[], rest: [] as number[] };
  try {
    pinger.postMessage({ url: `${one.server.url}/health` });
    for (let round = 0; round <= rounds; round++) {
      await read();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const rest = await read();
      await list(one, count);
      const listing = await read();
      if (round === 0) continue;
      waits.rest.push(rest);
      waits.listing.push(listing);
    }
  } finally {
    pinger.terminate();
  }
  const [listing, rest] = [median(waits.listing), median(waits.rest)];
  const longest = Math.max(0, listing - rest);
  return {
    what: `longest stall during a listing of ${count.toLocaleString("en")}`,
    cubby: `${longest.toFixed(1)} ms`,
    against: `at rest ${rest.toFixed(1)} ms, in all ${listing.toFixed(1)} ms`,
    target: atMost(longest, 20, "20 ms"),
  };
}

function list({ server, token }: Stage["one"], count: number, query = ""): Promise<number> {
  return curl(`${server.url}/api/resources/of-${count}/${query}`, "--header", `X-Auth: ${token}`);
}
