import { join } from "node:path";
import { runQuietly } from "../commands.ts";
import { list } from "./list.ts";
import { race, secondsOf } from "../race.ts";
import type { Setup } from "../set_up.ts";
import { stall } from "../stall.ts";
import { atMost, duration, type Row } from "../table.ts";

/** Whole listings against `ls -l` and `find -printf`, and how long others wait meanwhile. */
export async function measureListing(setup: Setup): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of setup.folders.slice(1)) rows.push(...await listing(setup, count));
  const last = setup.folders.at(-1) ?? 0;
  rows.push(await firstWindow(setup, last));
  for (const count of setup.folders.slice(1)) {
    const what = `longest stall during a listing of ${count.toLocaleString("en")}`;
    rows.push(await stall(setup, what, () => Promise.resolve(() => list(setup.one, count))));
  }
  return rows;
}

async function listing({ one, root, rounds }: Setup, count: number): Promise<Row[]> {
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
    10_000: atMost(ours / ls, 0.6, "0.6x"),
    100_000: atMost(ours / ls, 0.55, "0.55x"),
  };
  return [
    { what, cubby, against: `\`ls -l\` ${duration(ls)}`, ratio: ours / ls, target: targets[count] },
    { what, cubby, against: `\`find -printf\` ${duration(find)}`, ratio: ours / find },
  ];
}

async function firstWindow({ one, rounds }: Setup, count: number): Promise<Row> {
  const run = () => list(one, count, "?offset=0&limit=50");
  const [ours = NaN] = await race([{ name: "first 50", run }], rounds);
  return { what: `the first 50 of ${count.toLocaleString("en")}`, cubby: duration(ours) };
}
