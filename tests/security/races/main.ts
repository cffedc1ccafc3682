/**
 * `deno task races [seconds] [name …]`: every operation alone, or the named ones, against a folder
 * that is exchanged for a link meanwhile; 60 seconds each unless told otherwise, one server thread
 * unless `WORKERS` says how many.
 */
import { attack, faultOf } from "./attack.ts";
import { allOperations, openRealStage } from "./real_stage.ts";

const [seconds = "60", ...names] = Deno.args;
const chosen = allOperations.filter(({ name }) => names.length === 0 || names.includes(name));
if (!(Number(seconds) > 0) || chosen.length === 0) {
  console.error(`Usage: races [seconds] [${allOperations.map(({ name }) => name).join("|")} …]`);
  Deno.exit(2);
}
if (!Deno.env.has("WORKERS")) Deno.env.set("WORKERS", "1");

const row = (cells: (string | number)[]) =>
  cells.map((cell, index) => index === 0 ? `${cell}`.padEnd(18) : `${cell}`.padStart(9)).join("");
const faults: string[] = [];
let failed = 0;
{
  await using stage = await openRealStage();
  console.log(row(["operation", "attempts", "reached", "refused", "hits", "failures"]));
  for (const operation of chosen) {
    for (const tally of await attack(stage, [operation], Number(seconds))) {
      const { name, attempts, reached, refused, hits, failures } = tally;
      console.log(row([name, attempts, reached, refused, hits.length, failures.length]));
      const fault = faultOf(tally);
      if (fault === null) continue;
      failed++;
      faults.push(fault);
    }
  }
  faults.push(...stage.failures().slice(0, 10));
}
console.log(["", ...faults, `${failed} of ${chosen.length} failed`].join("\n"));
Deno.exit(failed > 0 ? 1 : 0);
