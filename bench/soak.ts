/**
 * `deno task soak [MINUTES] [CLIENTS]`: mixed work of many clients at once on one server with two
 * workers, 20 minutes and 64 clients unless told otherwise. Twice a minute (in shorter runs more
 * often) it prints the server's memory and open descriptors; at the end the times of each kind of
 * work. The exit status is 1 when a call was answered otherwise than it should be, or when memory
 * still grew after the fifth minute; in five minutes or less that is not looked at.
 */
import { startServer } from "../tests/support/server/server.ts";
import { memoryOf, openDescriptors } from "./memory.ts";
import { judge, type Sample, settledMinutes } from "./soak/series.ts";
import {
  type Client,
  deckSize,
  flags,
  folderOf,
  type Kind,
  kindsOf,
  plantRoot,
} from "./soak/works.ts";
import { duration, markdown } from "./table.ts";

const [minutes, clients] = [Number(Deno.args[0] ?? 20), Number(Deno.args[1] ?? 64)];
if (!(minutes > 0 && clients > 0)) {
  console.error("Cannot load the server: say minutes and clients as numbers above 0");
  Deno.exit(2);
}

/** Time between samples, in minutes. */
const sampleMinutes = Math.min(1, minutes / 40);

const prepare = (root: string) => plantRoot(root, clients);
await using server = await startServer({ workers: 2, flags, prepare });
const kinds = await kindsOf(server);
const times = new Map<string, number[]>();
const failures = new Map<string, number>();
const samples: Sample[] = [];
const start = performance.now();
const end = start + minutes * 60_000;

async function run(index: number): Promise<void> {
  const client: Client = { folder: folderOf(index), count: 0 };
  let deck: Kind[] = [];
  while (performance.now() < end) {
    client.count++;
    if (deck.length === 0) deck = newDeck();
    await doOne(deck.pop() as Kind, client);
  }
}

/** Each kind as often as its share says, in any order: all rounds of a client cost the same. */
function newDeck(): Kind[] {
  const deck = kinds.flatMap((kind) => Array<Kind>(kind.share).fill(kind));
  if (deck.length !== deckSize) throw new Error(`The shares add up to ${deck.length}`);
  return deck.map((kind) => ({ kind, place: Math.random() }))
    .sort((a, b) => a.place - b.place).map(({ kind }) => kind);
}

async function doOne({ name, work }: Kind, client: Client): Promise<void> {
  const began = performance.now();
  try {
    await work(client);
    const list = times.get(name) ?? [];
    list.push(performance.now() - began);
    times.set(name, list);
  } catch (error) {
    const reason = `${name}: ${error instanceof Error ? error.message : error}`;
    failures.set(reason, (failures.get(reason) ?? 0) + 1);
  }
}

function report(): void {
  const memory = memoryOf(server.pid);
  const minute = (performance.now() - start) / 60_000;
  samples.push({ minute, memory });
  const done = [...times.values()].reduce((sum, list) => sum + list.length, 0);
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const cells = [minute.toFixed(1), done.toLocaleString("en"), failed, `${memory.toFixed(0)} MB`];
  console.log(`| ${[...cells, openDescriptors(server)].join(" | ")} |`);
}

console.log("| minute | done | failed | memory (PSS) | descriptors |\n|---|---|---|---|---|");
report();
const reporting = setInterval(report, sampleMinutes * 60_000);
await Promise.all(Array.from({ length: clients }, (_, index) => run(index)));
clearInterval(reporting);
const verdict = judge(samples, minutes);
await new Promise((resolve) => setTimeout(resolve, 30_000));
console.log("Half a minute after the end:");
report();

const rows = [...times].map(([name, list]) => {
  list.sort((a, b) => a - b);
  const at = (part: number) =>
    duration((list[Math.min(list.length - 1, Math.floor(list.length * part))] ?? NaN) / 1000);
  return [name, list.length.toLocaleString("en"), at(0.5), at(0.99), at(1)];
});
console.log(`\n${markdown(["kind", "times", "median", "p99", "longest"], rows)}`);
for (const [reason, count] of failures) console.error(`${count} times: ${reason}`);
const warnings = server.output().split("\n").filter((line) =>
  /Failed:|Unhandled|panick/.test(line)
);
for (const line of warnings.slice(0, 20)) console.error(`In the log: ${line}`);
if (verdict) {
  const { before, after, isFlat } = verdict;
  const told = `${before.toFixed(0)} MB after minute ${settledMinutes}, ${after.toFixed(0)} MB`;
  console.log(`Memory ${isFlat ? "is flat" : "grows"}: ${told} at the end`);
} else console.log(`Memory was not judged: it settles in ${settledMinutes} minutes`);
await server.stop();
const isGrowing = verdict !== null && !verdict.isFlat;
Deno.exit(isGrowing || failures.size + warnings.length > 0 ? 1 : 0);
