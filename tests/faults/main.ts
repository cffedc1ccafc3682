/**
 * `deno task faults [rounds] [seed] [name …]`: kills a server in so many rounds, each time during
 * all operations, or the named ones; 20 rounds unless told otherwise, one server thread unless
 * `WORKERS` says how many. The seed is printed: the same one kills at the same moments.
 */
import { allKinds, runRounds } from "./kill/rounds.ts";

const [rounds = "20", seed = `${Date.now() % 1_000_000}`, ...names] = Deno.args;
const kinds = allKinds.filter(({ name }) => names.length === 0 || names.includes(name));
if (!(Number(rounds) > 0) || !Number.isFinite(Number(seed)) || kinds.length === 0) {
  const all = allKinds.map(({ name }) => `"${name}"`).join("|");
  console.error(`Usage: faults [rounds] [seed] [${all} …]`);
  Deno.exit(2);
}
const faults = await runRounds(kinds, {
  rounds: Number(rounds),
  seed: Number(seed),
  print: (line) => console.log(line),
});
Deno.exit(faults.length > 0 ? 1 : 0);
