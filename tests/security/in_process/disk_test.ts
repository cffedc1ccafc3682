import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { mount, smallDisk } from "../../support/disks/small_disk.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

/** Mounting wants the superuser. */
const ignore = Deno.uid() !== 0;

function namesIn(path: string): string[] {
  return [...Deno.readDirSync(path)].map(({ name }) => name).sort();
}

Deno.test({ name: "a full disk is 507, and nothing is lost or left behind", ignore }, async () => {
  await using disk = await smallDisk("size=1m");
  await using app = await startApp({
    inProcess: true,
    config: { root: disk.path },
    tree: { "a.txt": "former" },
  });
  const token = await app.tokenOf("admin");
  const body = new Uint8Array(2 * 1024 * 1024);
  const send = (method: string, path: string) =>
    app.call(method, `/api/resources${path}`, { token, body });

  await assertRefused(await send("POST", "/new.bin"), 507, "disk_full");
  await assertRefused(await send("POST", "/a.txt?override=true"), 507, "disk_full");
  await assertRefused(await send("PUT", "/a.txt"), 507, "disk_full");
  assert.deepEqual(namesIn(disk.path), ["a.txt"]);
  assert.equal(Deno.readTextFileSync(join(disk.path, "a.txt")), "former");

  const usage = await (await app.call("GET", "/api/usage/", { token })).json();
  assert.equal(usage.total, 1024 * 1024);
  await assertStatus(await app.call("POST", "/api/resources/b.txt", { token, body: "fits" }), 200);
});

Deno.test(
  { name: "a disk that fills up while chunks come keeps the former file", ignore },
  async () => {
    await using disk = await smallDisk("size=1m");
    await using app = await startApp({
      inProcess: true,
      config: { root: disk.path, syncClients: true },
      tree: { "a.txt": "former" },
    });
    const { username, password } = app.admin;
    const dav = "/remote.php/dav";
    const uploads = `${dav}/uploads/${username}/1`;
    const body = new Uint8Array(600 * 1024);
    const call = (method: string, path: string, headers = {}, body?: Uint8Array<ArrayBuffer>) =>
      app.call(method, path, {
        body,
        headers: {
          authorization: basic(username, password),
          ...body && { "content-length": String(body.length) },
          ...headers,
        },
      });
    const destination = `http://cubby.test${dav}/files/${username}/a.txt`;
    const length = { "oc-total-length": String(2 * body.length) };
    await assertStatus(await call("MKCOL", uploads, { destination, ...length }), 507, "too long");
    await assertStatus(await call("MKCOL", uploads, { destination }), 201);
    await assertStatus(await call("PUT", `${uploads}/1`, {}, body), 201);
    await assertStatus(await call("PUT", `${uploads}/2`, {}, body), 507);
    const move = await call("MOVE", `${uploads}/.file`, { destination, ...length });
    assert.ok(move.status >= 400 && move.status < 500, await move.text());
    assert.equal(Deno.readTextFileSync(join(disk.path, "a.txt")), "former");
    await assertStatus(await call("DELETE", uploads), 204);
    assert.deepEqual(namesIn(disk.path), ["a.txt"]);
    const whole = `${dav}/files/${username}/b.bin`;
    await assertStatus(await call("PUT", whole, {}, new Uint8Array(2 ** 21)), 507);
    await assertStatus(await call("PUT", whole, {}, body), 201, "there is room again");
  },
);

Deno.test({ name: "a disk without room for names refuses folders and files", ignore }, async () => {
  await using disk = await smallDisk("size=1m,nr_inodes=8");
  await using app = await startApp({
    inProcess: true,
    config: { root: disk.path },
    tree: { "a.txt": "former" },
  });
  const token = await app.tokenOf("admin");
  const post = (path: string) => app.call("POST", `/api/resources${path}`, { token, body: "x" });
  for (let free = 0; free < 8; free++) {
    try {
      Deno.writeTextFileSync(join(disk.path, `filler ${free}`), "");
    } catch {
      break;
    }
  }
  const before = namesIn(disk.path);
  await assertRefused(await post("/new.txt"), 507, "disk_full");
  await assertRefused(await post("/new/"), 507, "disk_full");
  await assertRefused(await post("/a.txt?override=true"), 507, "disk_full");
  assert.deepEqual(namesIn(disk.path), before);
  assert.equal(Deno.readTextFileSync(join(disk.path, "a.txt")), "former");
});

Deno.test({ name: "a read-only root can be read and says no to the rest", ignore }, async () => {
  await using disk = await smallDisk("size=1m");
  await using app = await startApp({
    inProcess: true,
    config: { root: disk.path },
    tree: { "a.txt": "former", folder: { "b.txt": "1" } },
  });
  await mount("-o", "remount,ro", disk.path);
  const token = await app.tokenOf("admin");
  const send = (method: string, path: string) =>
    app.call(method, `/api/resources${path}`, {
      token,
      body: method === "DELETE" ? undefined : "x",
    });

  const writes = [["POST", "/new.txt"], ["POST", "/new/"], ["POST", "/a.txt?override=true"]];
  writes.push(["PUT", "/a.txt"], ["DELETE", "/a.txt"], ["DELETE", "/folder"]);
  for (const [method = "", path = ""] of writes) {
    await assertRefused(await send(method, path), 403, "read_only", `${method} ${path}`);
  }
  assert.equal(await (await app.call("GET", "/api/raw/a.txt", { token })).text(), "former");
  await assertStatus(await app.call("GET", "/api/resources/", { token }), 200);
});

Deno.test("a root that disappears is 404, and nothing makes it again", async () => {
  await using folder = await temporaryFolder();
  const root = join(folder.path, "root");
  await using app = await startApp({
    inProcess: true,
    config: { root },
    tree: { "a.txt": "1", sub: {} },
  });
  const token = await app.tokenOf("admin");
  await Deno.remove(root, { recursive: true });

  const calls = [["GET", "resources/"], ["GET", "resources/a.txt"], ["GET", "raw/a.txt"]];
  calls.push(["GET", "usage/"], ["POST", "resources/new.txt"], ["POST", "resources/new/"]);
  calls.push(["POST", "resources/deep/new.txt"], ["PUT", "resources/a.txt"]);
  calls.push(["DELETE", "resources/a.txt"], ["POST", "resources/"]);
  for (const [method = "", path = ""] of calls) {
    const body = method === "POST" || method === "PUT" ? "x" : undefined;
    const answer = await app.call(method, `/api/${path}`, { token, body });
    const message = await assertRefused(answer, 404, "not_found", `${method} ${path}`);
    assert.ok(!message.includes(folder.path), message);
  }
  assert.throws(() => Deno.statSync(root), Deno.errors.NotFound);
  await assertStatus(await app.call("GET", "/health"), 200);

  await Deno.mkdir(root);
  await assertStatus(await app.call("GET", "/api/resources/", { token }), 200);
});
