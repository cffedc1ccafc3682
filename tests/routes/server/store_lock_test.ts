import assert from "node:assert/strict";
import { join } from "node:path";
import { startServer } from "../../support/server/server.ts";
import { temporaryFolder } from "../../support/disks/files.ts";

Deno.test("a second server on the file of a store is refused, unless it is to be shared", async () => {
  await using folder = await temporaryFolder();
  const options = { data: folder.path };
  await using first = await startServer(options);
  await assert.rejects(startServer(options), (error: Error) => {
    const at = join(folder.path, "cubby.kv");
    assert.ok(
      error.message.includes(
        `Cannot use the database "${at}": another server uses it; stop that one, or start with ` +
          "--database-shared\n",
      ),
      error.message,
    );
    assert.doesNotMatch(error.message, /\n {4}at /);
    return true;
  });
  assert.equal((await fetch(`${first.url}/health`).then((answer) => answer.json())).status, "OK");

  const shared = ["--database-shared"];
  await using second = await startServer({ ...options, flags: shared });
  assert.equal((await fetch(`${second.url}/health`).then((answer) => answer.json())).status, "OK");
  // Commands work on the store of a running server.
  const { runCommand } = await import("../../../lib/server/cli/run_command.ts");
  const printed: string[] = [];
  const status = await runCommand(["users", "ls", "-d", join(folder.path, "cubby.kv")], {
    ...{ env: new Map(), cwd: folder.path, warn: () => {} },
    print: (line) => void printed.push(line),
  });
  assert.equal(status, 0);
  assert.match(printed.join("\n"), /admin/);
});

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  Deno.test(`a server that ended by ${signal} keeps no next one from its store`, async () => {
    await using folder = await temporaryFolder();
    const options = { data: folder.path, workers: 2 };
    {
      await using server = await startServer(options);
      Deno.kill(server.pid, signal);
      await server.ended;
    }
    await using next = await startServer(options);
    assert.equal((await fetch(`${next.url}/health`).then((answer) => answer.json())).status, "OK");
  });
}

Deno.test("a server starts while others open and close its store", async () => {
  await using folder = await temporaryFolder();
  await (await startServer({ data: folder.path })).stop();
  const path = join(folder.path, "cubby.kv");
  await assert.rejects(Deno.stat(`${path}-wal`), Deno.errors.NotFound);
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      const kv = await Deno.openKv(path);
      await kv.get([]);
      kv.close();
    }
  })();
  try {
    const server = await startServer({ data: folder.path });
    await server.stop();
  } finally {
    isOver = true;
    await others;
  }
});
