/**
 * `deno task mutants [COUNT] [SEED] [PLACE …]`: puts faults of one line into a copy of the sources,
 * one at a time, and runs the tests nearest to the file: unit, routes, and attacks in process. 20
 * faults unless told otherwise, in the rooms where a fault does most harm or in the given folders
 * and files. A fault that all of these tests pass with is printed as `survived`: either a test is
 * missing, or the fault changes nothing that matters. The seed is printed: the same one makes the
 * same faults from the same sources.
 */
import { randomOf } from "../faults/kill/random.ts";
import { chooseMutations } from "./choose.ts";
import { NearestTests, readImports } from "./nearest.ts";
import { ScratchCopy } from "./scratch_copy.ts";

/** Where access is decided, and data may be lost. */
const rooms = ["core/access", "core/kv", "files", "features/accounts/auth"].concat(
  ["dav", "jobs", "links", "quotas"].map((name) => `features/${name}`),
);

const top = new URL("../../", import.meta.url);
const [count = "20", seed = `${Date.now() % 1_000_000}`, ...places] = Deno.args;
if (!(Number(count) > 0) || !Number.isFinite(Number(seed))) {
  console.error("Usage: mutants [COUNT] [SEED] [folder or file …]");
  Deno.exit(2);
}

const chosen = await chooseMutations(top, {
  count: Number(count),
  random: randomOf(Number(seed)),
  places: places.length > 0 ? places : rooms.map((room) => `lib/server/${room}`),
});
const nearest = new NearestTests(await readImports(top));
await using copy = await ScratchCopy.of(top);
const survived: string[] = [];

console.log(`${chosen.length} faults, seed ${seed}`);
for (const [index, { file, mutation }] of chosen.entries()) {
  const outcome = await copy.test(file, mutation, nearest.of(file));
  const { kind, line, before, after } = mutation;
  const text = [
    `${outcome.verdict} ${file}:${line} (${kind})`,
    `    - ${before.trim()}`,
    `    + ${after.trim()}`,
    `    ${outcome.reason}`,
  ].join("\n");
  console.log(`${index + 1}. ${text}`);
  if (outcome.verdict === "survived") survived.push(text);
}
if (survived.length > 0) console.log(`\nSurvivors:\n${survived.join("\n")}`);
console.log(`${chosen.length - survived.length} killed, ${survived.length} survived`);
