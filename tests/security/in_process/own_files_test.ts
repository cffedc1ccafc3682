import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { assertRefused } from "../../support/server/refused.ts";

// The store lies in the served folder unless another place is named.
const folder = await temporaryFolder();
const root = Deno.realPathSync(folder.path);
const reserved = [join(root, "filebrowser.kv"), join(root, "data/cache")];
const app = await startApp({
  inProcess: true,
  config: { root, reserved },
  tree: {
    "filebrowser.kv": "STORE",
    "filebrowser.kv-wal": "STORE",
    data: { cache: { "thumb.webp": "STORE" }, "own.txt": "own" },
    "a.txt": "mine",
  },
});
Deno.symlinkSync("filebrowser.kv", join(root, "alias.txt"));
Deno.symlinkSync("data/cache", join(root, "shown"));
Deno.test.afterAll(async () => {
  await app.close();
  await folder[Symbol.asyncDispose]();
});
const token = await app.tokenOf("admin");
const ask = (method: string, call: string, body?: string) =>
  app.call(method, `/api/${call}`, { token, body });

const own = ["filebrowser.kv", "FileBrowser.KV", "filebrowser.kv-wal", "filebrowser.kv-shm"];
own.push("filebrowser.kv-journal", "alias.txt", "shown", "shown/thumb.webp");
own.push("data/cache", "data/cache/thumb.webp", "data/cache/none", "data/CACHE/thumb.webp");

Deno.test("nobody reads the server's own files, administrators no more than others", async () => {
  for (const path of own) {
    const calls = [`raw/${path}`, `resources/${path}`, `resources/${path}?checksum=md5`];
    calls.push(`preview/thumb/${path}`, `subtitle/${path}`, `usage/${path}`, `watch/${path}`);
    calls.push(`search/${path}/?query=a`, `raw/?files=${encodeURIComponent(path)}`);
    for (const call of calls) await assertRefused(await ask("GET", call), 403, "forbidden", call);
    await assertRefused(await ask("POST", `share/${path}`), 403, "forbidden", path);
  }
});

Deno.test("nobody writes, moves, replaces or deletes the server's own files", async () => {
  for (const path of own) {
    for (const action of ["copy", "rename"]) {
      const from = `resources/${path}?action=${action}&destination=/b.txt`;
      await assertRefused(await ask("PATCH", from), 403, "forbidden", from);
      const to = `resources/a.txt?action=${action}&destination=/${path}&override=true`;
      await assertRefused(await ask("PATCH", to), 403, "forbidden", to);
    }
    for (const method of ["POST", "PUT"]) {
      const call = `resources/${path}?override=true`;
      await assertRefused(await ask(method, call, "overwritten"), 403, "forbidden", call);
    }
    await assertRefused(await ask("DELETE", `resources/${path}`), 403, "forbidden", path);
  }
  for (const call of ["DELETE resources/data", "PATCH resources/data?action=copy&destination=/b"]) {
    const [method = "", path = ""] = call.split(" ");
    await assertRefused(await ask(method, path), 403, "forbidden", call);
  }
  for (const path of ["filebrowser.kv", "filebrowser.kv-wal", "data/cache/thumb.webp"]) {
    assert.equal(Deno.readTextFileSync(join(root, path)), "STORE", path);
  }
  assert.equal(Deno.readTextFileSync(join(root, "a.txt")), "mine");
});

Deno.test("the server's own files are in no listing, search or archive, nor behind a share", async () => {
  const { hash } = await (await ask("POST", "share/")).json();
  const answers = ["resources/", "resources/data", "search/?query=e", "raw/?algo=tar"];
  for (const call of [...answers, `public/share/${hash}`, `public/dl/${hash}?algo=tar`]) {
    const answer = await ask("GET", call);
    assert.equal(answer.status, 200, call);
    assert.doesNotMatch(await answer.text(), /STORE|filebrowser|thumb\.webp|alias|shown/, call);
  }
  for (const path of ["filebrowser.kv", "alias.txt", "data/cache/thumb.webp"]) {
    const call = `public/dl/${hash}/${path}`;
    await assertRefused(await ask("GET", call), 403, "forbidden", call);
  }
});
