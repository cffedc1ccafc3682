import { join } from "node:path";
import { runQuietly } from "./commands.ts";
import { list } from "./list.ts";
import { race, secondsOf } from "./race.ts";
import type { Stage } from "./stage.ts";
import { stall } from "./stall.ts";
import { atMost, duration, type Row } from "./table.ts";

/** Whole listings against `ls -l` and `find -printf`, and how long others wait meanwhile. */
export async function measureListing(stage: Stage): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of stage.folders.slice(1)) rows.push(...await listing(stage, count));
  const last = stage.folders.at(-1) ?? 0;
  rows.push(await firstWindow(stage, last));
  for (const count of stage.folders.slice(1)) {
    const what = `longest stall during a listing of ${count.toLocaleString("en")}`;
    rows.push(await stall(stage, what, () => Promise.resolve(() => list(stage.one, count))));
  }
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
    10_000: atMost(ours / ls, 1, "1.0x"),
    100_000: atMost(ours / ls, 0.8, "0.8x"),
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
