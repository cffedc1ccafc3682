import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { randomOf } from "../../faults/kill/random.ts";
import { chooseMutations } from "../../mutants/choose.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

const code = "export const is = a === b && c < d;\nif (is) throw e;\n";

async function choose(count: number, seed: number, places: string[]) {
  await using folder = await temporaryFolder();
  await plant(folder.path, {
    one: { "a.ts": code, "b.ts": code, "note.md": "a === b" },
    two: { "c.ts": code },
    none: {},
  });
  const top = pathToFileURL(`${folder.path}/`);
  return await chooseMutations(top, { count, random: randomOf(seed), places });
}

Deno.test("each place has as many mutations, and each file of it one before any has two", async () => {
  for (let seed = 0; seed < 20; seed++) {
    const chosen = await choose(4, seed, ["one", "two"]);
    assert.deepEqual(chosen.map(({ file }) => file).sort(), [
      "one/a.ts",
      "one/b.ts",
      "two/c.ts",
      "two/c.ts",
    ]);
  }
});

Deno.test("the same seed chooses the same mutations, another one others", async () => {
  const places = ["one", "two", "one/b.ts"];
  const first = await choose(8, 5, places);
  for (let again = 0; again < 20; again++) assert.deepEqual(await choose(8, 5, places), first);
  assert.notDeepEqual(await choose(8, 5, ["one"]), await choose(8, 6, ["one"]));
});

Deno.test("there are no more mutations than code, and none without", async () => {
  assert.equal((await choose(100, 1, ["two/c.ts"])).length, 4);
  await assert.rejects(choose(1, 1, ["none"]), /there is no code/);
  await assert.rejects(choose(1, 1, ["gone"]), Deno.errors.NotFound);
});
