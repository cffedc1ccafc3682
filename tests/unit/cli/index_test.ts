import assert from "node:assert/strict";
import { join } from "node:path";
import {
  IndexFile,
  indexPath,
  openForWriting,
} from "../../../lib/server/features/contents/index_file.ts";
import {
  isRebuildWanted,
  unknownState,
  writeState,
} from "../../../lib/server/features/contents/state.ts";
import { openTerminal } from "./terminal.ts";

Deno.test("index status and rebuild are refused while content search is off", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  for (const command of ["status", "rebuild"]) {
    const { status, warned } = await terminal.run("index", command);
    assert.equal(status, 1);
    assert.match(warned.join("\n"), /^Cannot .+ the index: content search is off/);
  }
});

Deno.test("index status tells what the server has noted, and rebuild leaves it a wish", async () => {
  await using terminal = await openTerminal();
  const run = async (...args: string[]) => {
    const { status, printed, warned } = await terminal.run(...args);
    assert.deepEqual([status, warned], [0, []]);
    return printed.join("\n");
  };
  await run("config", "set", "--contents.enabled", "--contents.largestText", "100000");
  assert.equal(await run("index", "status"), "state  waiting for the server");
  assert.match(await run("index", "rebuild"), /^No index yet/);

  const path = indexPath(join(terminal.folder, "data", ".cubby-cache"));
  await Deno.mkdir(join(terminal.folder, "data", ".cubby-cache"));
  {
    using index = openForWriting(path, assert.fail);
    writeState(index, { ...unknownState, state: "ready", files: 3, characters: 1234 });
  }
  const told = await run("index", "status");
  assert.match(told, /^state +ready$/m);
  assert.match(told, /^files +3$/m);
  assert.match(told, /^walked +never$/m);
  assert.match(await run("index", "rebuild"), /^The server rebuilds it/);
  {
    using index = new IndexFile(path, "read");
    assert.equal(isRebuildWanted(index), true);
  }

  await Deno.writeTextFile(path, "no longer SQLite, but long enough to be looked into".repeat(9));
  assert.equal(await run("index", "status"), "state  damaged; the server rebuilds it");
});
