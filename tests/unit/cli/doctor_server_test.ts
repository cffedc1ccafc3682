import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../../lib/shared/delay.ts";
import { makeTrashId } from "../../../lib/server/files/trash/trash_records.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { ensureFuse, mountFuse } from "../../support/disks/fuse.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { admit, assertHealthy, assertMends, findingsOf, letAge } from "./doctor.ts";
import { openTerminal } from "./terminal.ts";

const temporary = `.cubby-upload-${"e".repeat(32)}`;

Deno.test("the doctor finds nothing wrong with what a running server is about", async () => {
  await using terminal = await openTerminal();
  await plant(terminal.root, { docs: { "a.txt": "a", "b.txt": "b" } });
  const config = { database: terminal.database, root: terminal.root };
  await using app = await startApp({ config, inProcess: true });
  const token = await app.tokenOf("admin");
  const call = async (status: number, method: string, path: string, headers = {}) =>
    await assertStatus(await app.call(method, path, { token, headers }), status, path);
  await call(200, "POST", "/api/share/docs/b.txt");
  await call(200, "DELETE", "/api/resources/docs/a.txt?trash=true");
  await call(201, "POST", "/api/tus/docs/big.iso", { "upload-length": "9" });
  await letAge();
  await findingsOf(terminal, "--fix");
  await assertHealthy(terminal);
  await call(200, "HEAD", "/api/tus/docs/big.iso");
});

Deno.test("what the doctor gave back from the trash is restored by an administrator", async () => {
  await using terminal = await openTerminal();
  const id = makeTrashId(1);
  await plant(terminal.root, { ".cubby-trash": { [id]: { "dear.txt": "dear" } }, "a.txt": "a" });
  const config = { database: terminal.database, root: terminal.root };
  await using app = await startApp({ config, inProcess: true });
  await assertMends(terminal, [/"dear\.txt" in .* has no record; --fix gives it to "admin"$/]);
  const token = await app.tokenOf("admin");
  await assertStatus(await app.call("POST", `/api/trash/${id}`, { token }), 200);
  assert.equal(await Deno.readTextFile(join(terminal.root, "dear.txt")), "dear");
  await assertHealthy(terminal);
});

Deno.test("the doctor stays off a disk below the root that may hang", async () => {
  await ensureFuse();
  await using terminal = await openTerminal();
  await using source = await temporaryFolder();
  await plant(terminal.root, { nas: {}, "a.txt": "a" });
  await plant(source.path, { [temporary]: "left", home: {} });
  await admit(terminal);
  await terminal.ok("users", "add", "anna", "otters hold 9 hands", "--scope", "/nas/home");
  await using _mount = await mountFuse(source.path, join(terminal.root, "nas"));
  // Longer than the table of mounts is relied on.
  await delay(300);
  const { status, lines } = await findingsOf(terminal, "--fix");
  assert.deepEqual(lines, [
    'user "anna": the folder "/nas/home" cannot be looked at: its disk may be unresponsive - not checked',
    'folder "/nas": its disk may be unresponsive - not checked',
  ]);
  assert.equal(status, 0);
  assert.equal(await Deno.readTextFile(join(source.path, temporary)), "left");
});
