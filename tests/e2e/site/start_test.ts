import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../../support/disks/files.ts";
import { startServer } from "../../support/server/server.ts";

const top = new URL("../../..", import.meta.url).pathname;

Deno.test("deno task start refuses to sign everybody in where others can reach it", async () => {
  await using folder = await temporaryFolder();
  const store = join(folder.path, "cubby.kv");
  for (const address of ["0.0.0.0", "::", "192.0.2.1"]) {
    const command = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--cached-only", "lib/server/boot/launch.ts", "--noauth", "--port", "0"],
        ...["--address", address, "--root", folder.path, "--database", store],
      ],
      cwd: top,
    });
    const { code, stderr } = await command.output();
    const told = new TextDecoder().decode(stderr);
    assert.equal(code, 2, told);
    assert.match(told, /^Cannot use noauth on [^\n]*\n$/);
  }
  assert.deepEqual([...Deno.readDirSync(folder.path)], [], "nothing was begun");
});

for (const workers of [1, 2]) {
  Deno.test(`deno task start serves, and ends in order when told to (${workers})`, async () => {
    await using server = await startServer({ command: ["task", "start"], workers });
    const answer = await fetch(`${server.url}/health`);
    assert.deepEqual(await answer.json(), { status: "OK" });
    assert.equal(await server.stop(), 0);
  });
}
