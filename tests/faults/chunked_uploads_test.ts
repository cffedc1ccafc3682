/**
 * Uploads in chunks to a server that is killed while chunks come, and while the MOVE waits before
 * or after the file has its name: a command that is hooked to uploads holds it there.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import { defaultSettings } from "../../lib/server/features/settings/settings.ts";
import { basic } from "../support/clients/dav.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import { administer } from "../support/server/administer.ts";
import { startServer } from "../support/server/server.ts";

const chunkBytes = 300_000;

function bytesOf(length: number, seed: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8) + seed) % 256);
}

Deno.test("chunks and MOVE go on after the server was killed, and nothing is written twice", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const [root, data] = [join(folder.path, "root"), join(folder.path, "data")];
  const [state, log] = [join(folder.path, "state"), join(folder.path, "log")];
  const hook = (does: string) => {
    Deno.writeTextFileSync(`${state}.next`, `${does}\n`);
    Deno.renameSync(`${state}.next`, state);
  };
  hook("passes");
  Deno.writeTextFileSync(log, "");
  const script = join(folder.path, "hook.sh");
  Deno.writeTextFileSync(
    script,
    `echo $TRIGGER >> '${log}'; while [ "$(cat '${state}')" = waits ]; do sleep 0.05; done`,
  );
  const flags = ["--sync-clients", "--disable-exec=false", "--exec-sandbox", "none"];
  const start = () => startServer({ root, data, flags });
  let server = await start();
  stack.defer(async () => void await server.stop());
  const setHook = async (event: "before_upload" | "after_upload") => {
    const none = { before_upload: [], after_upload: [] };
    const commands = { ...defaultSettings().commands, ...none, [event]: [`sh "${script}"`] };
    await administer({ data }, { settings: { commands } });
  };
  const { username, password } = server;
  const authorization = basic(username, password);
  const ask = async (method: string, path: string, headers = {}, body?: BodyInit) => {
    const address = `${server.url}/remote.php/dav/uploads/admin/${path}`;
    const answer = await fetch(address, {
      method,
      body,
      headers: { authorization, depth: "1", ...headers },
    });
    return { status: answer.status, text: await answer.text() };
  };
  const kill = async () => {
    Deno.kill(server.pid, "SIGKILL");
    await server.ended;
    await server.stop();
  };
  const hidden = () => {
    return [...Deno.readDirSync(root)].map(({ name }) => name).filter((name) => name[0] === ".");
  };
  const listed = async () => {
    const { text } = await ask("PROPFIND", "one");
    return [...text.matchAll(/one\/(\d+)</g)].map(([, name]) => name);
  };

  const chunks = [1, 2, 3].map((seed) => bytesOf(chunkBytes, seed));
  const whole = new Uint8Array(chunks.flatMap((bytes) => [...bytes]));
  const length = { "oc-total-length": String(whole.length) };
  assert.equal((await ask("MKCOL", "one", length)).status, 201);
  assert.equal((await ask("PUT", "one/00001", {}, chunks[0])).status, 201);
  const half = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(bytesOf(100_000, 2)),
  });
  const headers = { "x-expected-entity-length": String(chunkBytes) };
  const cut = ask("PUT", "one/00002", headers, half).catch(() => null);
  const sizes = () => hidden().map((name) => Deno.statSync(join(root, name)).size);
  while (!sizes().some((size) => size > chunkBytes)) await delay(10);
  await kill();
  assert.equal(await cut, null);
  server = await start();
  assert.deepEqual(await listed(), ["00001"]);
  for (const [index, name] of ["00003", "00002"].entries()) {
    assert.equal((await ask("PUT", `one/${name}`, {}, chunks[2 - index])).status, 201);
  }

  const to = { ...length, destination: "/remote.php/dav/files/admin/whole.bin" };
  for (const event of ["before_upload", "after_upload"] as const) {
    await setHook(event);
    hook("waits");
    const before = Deno.readTextFileSync(log).length;
    const moving = ask("MOVE", "one/.file", to).catch(() => null);
    while (Deno.readTextFileSync(log).length === before) await delay(10);
    const late = await ask("PUT", "one/00002", {}, chunks[0]);
    assert.equal(late.status, event === "before_upload" ? 423 : 404);
    await kill();
    assert.equal(await moving, null);
    hook("passes");
    server = await start();
  }
  assert.ok([201, 204].includes((await ask("MOVE", "one/.file", to)).status));
  assert.deepEqual(Deno.readFileSync(join(root, "whole.bin")), whole);
  assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["whole.bin"]);
  assert.equal((await ask("PROPFIND", "one")).status, 404);
  assert.equal((await ask("MOVE", "one/.file", to)).status, 204);
});
