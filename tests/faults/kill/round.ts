/** One kill during many operations, and what must be true after it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../../lib/shared/delay.ts";
import { runCommand } from "../../../lib/server/cli/run_command.ts";
import { openStore, type Store } from "../../../lib/server/core/kv/store.ts";
import { leftovers, trashFaults } from "../leftovers.ts";
import type { Kind } from "./kind.ts";
import { look, type Place, timeless } from "./place.ts";
import type { Stand } from "./stand.ts";

/** What is known of an operation that nothing disturbed. */
export interface Known {
  /** How long it takes, in milliseconds. */
  ms: number;
  /** What is to be seen when it is done. */
  after: string[];
}

/** What a round has found. */
export interface Result {
  kind: string;
  /** Whether the server had answered before it was killed, and whether it was done by then. */
  wasAccepted: boolean;
  wasOver: boolean;
  wasDone: boolean;
  /** Null when all is as it should be. */
  fault: string | null;
}

/** An operation in its place. */
interface Case {
  kind: Kind;
  place: Place;
  before: string[];
}

/** Runs operations at once without a kill. @returns what is known of each, by its name */
export async function measure(
  stand: Stand,
  kinds: readonly Kind[],
  name: string,
): Promise<Map<string, Known>> {
  const cases = await prepare(stand, kinds, name);
  const known = new Map<string, Known>();
  const times = await Promise.all(cases.map(async ({ kind, place }) => {
    const start = performance.now();
    await kind.run(place);
    return performance.now() - start;
  }));
  for (const [index, { kind, place, before }] of cases.entries()) {
    const after = await inStore(stand, (store) => look(place, store));
    const isSeen = after.join() !== before.join() || kind.isUnseen;
    assert.ok(isSeen, `"${kind.name}" does nothing`);
    known.set(kind.name, { ms: times[index] ?? 0, after });
  }
  assert.deepEqual(await faultsOf(stand), []);
  await clear(cases);
  return known;
}

/**
 * Runs operations at once, and kills the server at a moment that is anywhere in the time of each.
 *
 * @param random gives numbers from 0 to 1
 */
export async function kill(
  stand: Stand,
  kinds: readonly Kind[],
  known: ReadonlyMap<string, Known>,
  { name, random }: { name: string; random: () => number },
): Promise<Result[]> {
  const cases = await prepare(stand, kinds, name);
  const longest = Math.max(...kinds.map((kind) => known.get(kind.name)?.ms ?? 0));
  const running = cases.map(async ({ kind, place }) => {
    const usual = known.get(kind.name);
    const lead = random() * 1.1 * (usual?.ms ?? 0);
    await delay(Math.max(0, longest * 1.1 - lead));
    const start = performance.now();
    const isOver = await kind.run(place).then(() => true, () => false);
    const ms = performance.now() - start;
    // It may take less time than beside all others, or more.
    if (usual && (isOver || ms > usual.ms)) usual.ms = (usual.ms + ms) / 2;
    return isOver;
  });
  await delay(longest * 1.1);
  await stand.kill();
  const over = await Promise.all(running);
  const accepted = cases.map(({ place }) => place.isAccepted);

  await stand.start();
  const broken: string[] = [];
  for (const { kind, place } of cases) {
    try {
      await kind.goOn?.(place);
    } catch (error) {
      broken.push(`${kind.name}: ${error}`);
    }
  }
  broken.push(...await stand.jobsEnd());
  const results: Result[] = [];
  for (const [index, one] of cases.entries()) {
    const lines = await inStore(stand, (store) => look(one.place, store));
    const after = known.get(one.kind.name)?.after ?? [];
    const wasAccepted = accepted[index] ?? false;
    const fault = faultOf(one, lines, after);
    const wasDone = lines.join() === after.join();
    const wasOver = over[index] ?? false;
    results.push({ kind: one.kind.name, wasAccepted, wasOver, wasDone, fault });
  }
  const common = [...broken, ...await faultsOf(stand)];
  if (common.length > 0) {
    const fault = common.join("\n");
    results.push({ kind: "all", wasAccepted: false, wasOver: false, wasDone: false, fault });
  }
  await clear(cases);
  return results;
}

function faultOf({ kind, place, before }: Case, lines: string[], after: string[]): string | null {
  if (lines.join() === after.join()) return null;
  if (kind.allows?.(lines, { before, after })) return null;
  if (!place.isAccepted && timeless(lines) === timeless(before)) return null;
  const wanted = place.isAccepted ? after : before;
  const missing = wanted.filter((line) => !lines.includes(line));
  const added = lines.filter((line) => !wanted.includes(line));
  const shown = [...missing.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)];
  const accepted = place.isAccepted ? "accepted" : "not accepted";
  return [`${kind.name} (${accepted})`, ...shown.slice(0, 20)].join("\n  ");
}

async function prepare(stand: Stand, kinds: readonly Kind[], name: string): Promise<Case[]> {
  const cases: Case[] = [];
  for (const [index, kind] of kinds.entries()) {
    const folder = `${name}-${index}`;
    const last = stand.users.length - 1;
    const user = stand.users[kind.isAlone ? last : index % last];
    if (!user) throw new Error("There is no user");
    const place: Place = {
      ...{ stand, user, notes: new Map(), isAccepted: false },
      near: join(stand.root, folder),
      far: join(stand.root, "disk", folder),
      nearPath: `/${folder}`,
      farPath: `/disk/${folder}`,
    };
    Deno.mkdirSync(place.near);
    Deno.mkdirSync(place.far);
    await kind.prepare(place);
    const before = await inStore(stand, (store) => look(place, store));
    cases.push({ kind, place, before });
  }
  return cases;
}

/** What must never be, whatever was under way. */
async function faultsOf(stand: Stand): Promise<string[]> {
  const faults = await inStore(stand, async (store) => [
    ...await trashFaults(stand.root, store),
    ...await leftovers(stand.root, store),
  ]);
  const printed: string[] = [];
  const status = await runCommand(["doctor"], {
    env: new Map([["FB_DATABASE", stand.database], ["FB_ROOT", stand.root]]),
    cwd: stand.root,
    print: (line) => void printed.push(line),
    warn: (line) => void printed.push(line),
  });
  if (status !== 0 || printed.at(-1) !== "Found: 0") faults.push(...printed);
  const wrong = stand.output().split("\n").filter((line) => /Unhandled|Error:|Cannot/.test(line));
  return [...faults, ...wrong.slice(0, 5)];
}

async function inStore<T>(stand: Stand, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(stand.database);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

async function clear(cases: readonly Case[]): Promise<void> {
  for (const { place: { user, nearPath, farPath } } of cases) {
    for (const path of [nearPath, farPath]) {
      await (await user.call("DELETE", `/api/resources${path}?trash=false`)).body?.cancel();
    }
    await (await user.call("DELETE", "/api/trash")).body?.cancel();
  }
}
