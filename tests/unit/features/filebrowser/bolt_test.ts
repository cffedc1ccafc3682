import assert from "node:assert/strict";
import { join } from "node:path";
import { BoltFile } from "../../../../lib/server/features/filebrowser/bolt.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";

Deno.test("a named pipe, a folder and a missing file are refused as a database, without a wait", async () => {
  await using folder = await temporaryFolder();
  await new Deno.Command("mkfifo", { args: [join(folder.path, "pipe")] }).output();
  for (const name of ["pipe", ".", "none.db"]) {
    assert.throws(() => new BoltFile(join(folder.path, name)), { code: "not_found" }, name);
  }
});
