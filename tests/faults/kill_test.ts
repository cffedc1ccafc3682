import assert from "node:assert/strict";
import { allKinds, runRounds } from "./kill/rounds.ts";

Deno.test("a server that is killed goes on: nothing is lost, half done or left behind", async () => {
  const lines: string[] = [];
  const options = { rounds: 2, seed: Date.now() % 1_000_000 };
  const faults = await runRounds(allKinds, { ...options, print: (line) => void lines.push(line) });
  console.log(lines[0]);
  assert.deepEqual(faults, [], lines.join("\n"));
});
