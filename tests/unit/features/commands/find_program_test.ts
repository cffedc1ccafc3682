import assert from "node:assert/strict";
import { join } from "node:path";
import { findProgram } from "../../../../lib/server/features/commands/find_program.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";

Deno.test("findProgram() finds what can be executed, in the order of the path", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await plant(path, { a: { tool: "", text: "", folder: {} }, b: { tool: "", text: "" } });
  for (const name of ["a/tool", "b/tool", "b/text"]) await Deno.chmod(join(path, name), 0o755);
  const searchPath = `/nowhere:${path}/a:${path}/b`;
  assert.equal(findProgram("tool", searchPath), join(path, "a/tool"));
  assert.equal(findProgram("text", searchPath), join(path, "b/text"));
  assert.equal(findProgram(`${path}/b/tool`, ""), `${path}/b/tool`);
  for (const word of ["", "folder", "other", `${path}/a/text`, "./tool"]) {
    assert.equal(findProgram(word, searchPath), null, word);
  }
});
