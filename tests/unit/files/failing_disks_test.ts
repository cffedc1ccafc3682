import assert from "node:assert/strict";
import { join } from "node:path";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { runMounted, runUnprivileged, runWithSmallFiles } from "./confined.ts";

Deno.test("uploads that do not fit on the disk leave nothing, and the former file untouched", async () => {
  await using folder = await temporaryFolder();
  const mount = 'mount -t tmpfs -o size=1m tmpfs "$1"';
  const outcome = await runMounted("./too_large_script.ts", [folder.path, "fill"], mount) ??
    await runWithSmallFiles("./too_large_script.ts", [folder.path], 512);
  assert(outcome.success, outcome.output);
});

Deno.test("uploads larger than the system lets a file be leave nothing", async () => {
  await using folder = await temporaryFolder();
  const outcome = await runWithSmallFiles("./too_large_script.ts", [folder.path], 1024);
  assert(outcome.success, outcome.output);
});

Deno.test("a disk that is mounted read-only says so for every way to write", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { sub: { "a.txt": "a" } });
  const mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"';
  const outcome = await runMounted("./unwritable_script.ts", [folder.path, "read_only"], mount) ??
    await runUnwritable(folder.path);
  assert(outcome.success, outcome.output);
});

Deno.test("folders whose owner lets nobody write are forbidden for every way to write", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { sub: { "a.txt": "a" } });
  const outcome = await runUnwritable(folder.path);
  assert(outcome.success, outcome.output);
});

async function runUnwritable(folder: string) {
  const folders = [folder, join(folder, "sub")];
  for (const path of folders) Deno.chmodSync(path, 0o555);
  try {
    return await runUnprivileged("./unwritable_script.ts", [folder, "forbidden"]);
  } finally {
    for (const path of folders) Deno.chmodSync(path, 0o755);
  }
}
