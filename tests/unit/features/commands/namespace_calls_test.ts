import assert from "node:assert/strict";
import { join } from "node:path";
import { NamespaceCalls } from "../../../../lib/server/core/sandbox/namespace_calls.ts";
import { loadLibc } from "../../../../lib/server/core/sandbox/libc.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";

const libc = loadLibc();
const calls = libc && new NamespaceCalls(libc);

Deno.test("hold() keeps to what a path was, whatever is put in its place, and takes no links", {
  ignore: libc === null,
}, async () => {
  if (!libc || !calls) return;
  await using folder = await temporaryFolder();
  await plant(folder.path, {
    scope: { own: { "a.txt": "own" } },
    other: { own: { "a.txt": "not" } },
  });
  const [scope, other] = [join(folder.path, "scope"), join(folder.path, "other")];
  const held = calls.hold(join(scope, "own"));
  await Deno.rename(scope, join(folder.path, "away"));
  await Deno.symlink(other, scope);
  assert.equal(await Deno.readTextFile(`${held}/a.txt`), "own");
  libc.close(Number(held.split("/").at(-1)));

  for (const path of [scope, join(scope, "own"), join(folder.path, "gone")]) {
    assert.throws(() => calls.hold(path), /cannot open ".*": error (40|2)$/);
  }
});
