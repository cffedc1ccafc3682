import assert from "node:assert/strict";
import { join } from "node:path";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { runMounted, runUnprivileged } from "./confined.ts";

Deno.test("moves between disks are whole or not at all, and keep everything", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { m: { disk: {} } });
  const mount = 'mount -t tmpfs -o size=2m tmpfs "$1/m/disk"';
  const outcome = await runMounted("./move_across_disks_script.ts", [folder.path], mount);
  if (outcome) assert(outcome.success, outcome.output);
});

Deno.test("copies and moves that the system does not allow leave all as it was", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, {
    shut: { "a.txt": "a", deep: { "b.txt": "b" } },
    open: { "a.txt": "former", inner: { "c.txt": "c" } },
  });
  const shut = ["shut/deep", "shut", "open/inner"].map((path) => join(folder.path, path));
  for (const path of shut) Deno.chmodSync(path, 0o555);
  try {
    const outcome = await runUnprivileged("./move_unwritable_script.ts", [folder.path]);
    assert(outcome.success, outcome.output);
  } finally {
    for (const path of shut) Deno.chmodSync(path, 0o755);
  }
});
