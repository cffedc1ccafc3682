import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../../support/disks/files.ts";
import { attack } from "./attack.ts";
import { changingOperations } from "./changing.ts";
import { servePathBased } from "./path_based.ts";
import { readingOperations } from "./reading.ts";
import { openStage, scope } from "./stage.ts";

const names = ["raw", "listing", "upload", "move-out", "delete-file", "delete-folder"];

/** Something read, something put outside, something taken away there. */
const kinds = [/^answer: /, /^outside: \+ .*\.txt/, /^outside: - /];
const secondsEach = 2;
const maxRounds = 10;

Deno.test("the races find out a server that looks twice and then opens by path", async () => {
  await using folder = await temporaryFolder();
  await Deno.mkdir(join(folder.path, scope), { recursive: true });
  await using server = servePathBased(join(folder.path, scope));
  const operations = [...readingOperations, ...changingOperations]
    .filter(({ name }) => names.includes(name));
  const caller = { url: `http://127.0.0.1:${server.addr.port}` };
  await using stage = await openStage({ root: folder.path, operations, caller });
  const hits: string[] = [];
  let missing = kinds;
  for (let round = 0; missing.length > 0 && round < maxRounds; round++) {
    const tallies = await attack(stage, operations, secondsEach);
    hits.push(...tallies.flatMap((tally) => tally.hits));
    missing = kinds.filter((kind) => !hits.some((hit) => kind.test(hit)));
  }
  assert.deepEqual(missing, [], hits.join("\n"));
});
