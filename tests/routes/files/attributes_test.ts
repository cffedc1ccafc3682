/** What replaces a file, and what is copied or moved, keeps access lists and attributes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { mount } from "../../support/disks/small_disk.ts";

const app = await startApp({ tree: { probe: "x" }, config: { webdav: true } });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const call = (method: string, path: string, options = {}) =>
  app.call(method, path, { token, ...options });

const accessList = "system.posix_acl_access";
const defaultList = "system.posix_acl_default";
const note = new TextEncoder().encode("a note");

/** Entries of an access control list as the kernel takes them: tag, permissions, id. */
function listOf(...entries: [tag: number, bits: number, id?: number][]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 + entries.length * 8));
  view.setUint32(0, 2, true);
  for (const [index, [tag, bits, id = 0xffffffff]] of entries.entries()) {
    view.setUint16(4 + index * 8, tag, true);
    view.setUint16(6 + index * 8, bits, true);
    view.setUint32(8 + index * 8, id, true);
  }
  return new Uint8Array(view.buffer);
}

/** The owner and one user may write, the group and others may not: the mask has the bit. */
const list = listOf([1, 6], [2, 6, 4321], [4, 4], [0x10, 6], [0x20, 0]);

function attributesOf(path: string) {
  const isFolder = Deno.statSync(join(app.root, path)).isDirectory;
  using folder = disk.folder(join(app.root, isFolder ? path : join(path, "..")));
  if (isFolder) return folder.attributes();
  using file = folder.file(path.split("/").at(-1) ?? "", "read");
  return file.attributes();
}

function setAttributes(path: string, attributes: Record<string, Uint8Array<ArrayBuffer>>): void {
  const isFolder = Deno.statSync(join(app.root, path)).isDirectory;
  using folder = disk.folder(join(app.root, isFolder ? path : join(path, "..")));
  using file = isFolder ? null : folder.file(path.split("/").at(-1) ?? "", "write");
  for (const [name, value] of Object.entries(attributes)) {
    (file ?? folder).setAttribute(name, value);
  }
}

/** Some disks in memory have no attributes of users. */
function has(name: string, value: Uint8Array<ArrayBuffer>): boolean {
  try {
    setAttributes("probe", { [name]: value });
    return true;
  } catch {
    return false;
  }
}

const ignore = disk.kind === "portable" || !has(accessList, list) || !has("user.note", note);

/** Plants a file with a list and an attribute. */
function plant(path: string, content = "before"): void {
  Deno.writeTextFileSync(join(app.root, path), content);
  Deno.chmodSync(join(app.root, path), 0o640);
  setAttributes(path, { [accessList]: list, "user.note": note });
}

function assertKept(path: string, content: string | null = "after"): void {
  if (content !== null) assert.equal(Deno.readTextFileSync(join(app.root, path)), content);
  const found = attributesOf(path);
  assert.deepEqual(found.get(accessList), list, `the list of ${path}`);
  assert.deepEqual(found.get("user.note"), note, `the attribute of ${path}`);
  assert.equal((Deno.statSync(join(app.root, path)).mode ?? 0) & 0o7777, 0o660);
}

const basic = { authorization: `Basic ${btoa(`admin:${app.admin.password}`)}` };
const headers = { "content-length": "5" };
const offset = { "upload-offset": "0", "content-type": "application/offset+octet-stream" };

/** Every way in which a file takes the place of another. */
const ways: Record<string, (path: string) => Promise<void>> = {
  async "an upload"(path) {
    const answer = await call("POST", `/api/resources/${path}?override=true`, {
      body: "after",
      headers,
    });
    await assertStatus(answer, 200);
  },
  async "a save"(path) {
    await assertStatus(await call("PUT", `/api/resources/${path}`, { body: "after" }), 200);
  },
  async "a save by its tag"(path) {
    const former = await call("GET", `/api/resources/${path}`);
    const tag = former.headers.get("etag") ?? "";
    await former.body?.cancel();
    const answer = await call("PUT", `/api/resources/${path}`, {
      body: "after",
      headers: { "if-match": tag },
    });
    await assertStatus(answer, 200);
  },
  async "an upload in parts"(path) {
    const length = { "upload-length": "5" };
    const begun = await call("POST", `/api/tus/${path}?override=true`, { headers: length });
    await assertStatus(begun, 201);
    const sent = await call("PATCH", `/api/tus/${path}`, { headers: offset, body: "after" });
    await assertStatus(sent, 204);
  },
  async "PUT by WebDAV"(path) {
    const answer = await app.call("PUT", `/dav/${path}`, {
      headers: { ...basic, ...headers },
      body: "after",
    });
    await assertStatus(answer, 204);
  },
  async "a previous version"(path) {
    // The version is a file without a list that everybody may read.
    Deno.removeSync(join(app.root, path));
    Deno.writeTextFileSync(join(app.root, path), "after", { mode: 0o644 });
    await assertStatus(await call("PUT", `/api/resources/${path}`, { body: "between" }), 200);
    plant(path, "between");
    const { items } = await (await call("GET", `/api/trash?versions=/${path}`)).json();
    await assertStatus(await call("POST", `/api/trash/${items[0].id}?override=true`), 200);
  },
};

for (const [way, replace] of Object.entries(ways)) {
  Deno.test({
    name: `${way} keeps the access list and the attributes of the file that it replaces`,
    ignore,
    async fn() {
      const path = `${crypto.randomUUID()}.txt`;
      plant(path);
      await replace(path);
      assertKept(path);
    },
  });
}

Deno.test({
  name: "a list that a folder gives to new files is none of a file that was there without one",
  ignore,
  async fn() {
    Deno.mkdirSync(join(app.root, "giving"));
    Deno.writeTextFileSync(join(app.root, "giving/a.txt"), "before");
    Deno.chmodSync(join(app.root, "giving/a.txt"), 0o640);
    setAttributes("giving", { [defaultList]: list });
    const answer = await call("PUT", "/api/resources/giving/a.txt", { body: "after" });
    await assertStatus(answer, 200);
    assert.equal(attributesOf("giving/a.txt").size, 0);
    assert.equal((Deno.statSync(join(app.root, "giving/a.txt")).mode ?? 0) & 0o777, 0o640);
  },
});

async function run(action: string, from: string, to: string): Promise<void> {
  const json = { action, entries: [{ path: from, destination: to }] };
  const answer = await call("POST", "/api/jobs", {
    json,
    headers: { prefer: "respond-async, wait=60" },
  });
  const job = await answer.json();
  assert.deepEqual([job.state, job.failures], ["done", []]);
}

Deno.test({
  name: "copies of files and folders have the lists and attributes of the originals",
  ignore,
  async fn() {
    Deno.mkdirSync(join(app.root, "tree"));
    setAttributes("tree", { [defaultList]: list, "user.note": note });
    plant("tree/a.txt");
    const at = "action=copy&destination=";
    await assertStatus(await call("PATCH", `/api/resources/tree?${at}/twin`), 200);
    await run("copy", "/tree", "/third");
    for (const copy of ["twin", "third"]) {
      assertKept(`${copy}/a.txt`, "before");
      const found = attributesOf(copy);
      assert.deepEqual([found.get(defaultList), found.get("user.note")], [list, note]);
    }
  },
});

Deno.test({
  name: "a copy over a file has the mode, the list and the attributes of that file, and no others",
  ignore,
  async fn() {
    for (const folder of ["over", "over/from", "over/to"]) Deno.mkdirSync(join(app.root, folder));
    const modified = new Date(Date.UTC(2001, 1, 3));
    const open = (path: string, mode = 0o644) => {
      Deno.writeTextFileSync(join(app.root, path), "after");
      Deno.chmodSync(join(app.root, path), mode);
      setAttributes(path, { "user.other": note });
      Deno.utimeSync(join(app.root, path), modified, modified);
    };
    const closed = (path: string) => {
      Deno.writeTextFileSync(join(app.root, path), "before");
      Deno.chmodSync(join(app.root, path), 0o600);
    };
    const assertClosed = (path: string) => {
      const { mode, mtime } = Deno.statSync(join(app.root, path));
      assert.deepEqual([(mode ?? 0) & 0o7777, mtime], [0o600, modified], path);
      assert.equal(Deno.readTextFileSync(join(app.root, path)), "after");
      assert.deepEqual(attributesOf(path), new Map(), `nothing is added to ${path}`);
    };
    const at = "override=true&action=copy&destination=";
    for (const [path, mode] of Object.entries({ "open.txt": 0o644, "script.sh": 0o777 })) {
      open(path, mode);
      plant("kept.txt");
      await assertStatus(await call("PATCH", `/api/resources/${path}?${at}/kept.txt`), 200);
      assertKept("kept.txt");
      assert.ok(!attributesOf("kept.txt").has("user.other"));
      closed("closed.txt");
      await assertStatus(await call("PATCH", `/api/resources/${path}?${at}/closed.txt`), 200);
      assertClosed("closed.txt");
    }
    // A list may give more than the file that is replaced.
    plant("listed.txt", "after");
    Deno.utimeSync(join(app.root, "listed.txt"), modified, modified);
    closed("closed.txt");
    await assertStatus(await call("PATCH", `/api/resources/listed.txt?${at}/closed.txt`), 200);
    assertClosed("closed.txt");
    // In a merge, too, and by WebDAV.
    open("over/from/closed.txt");
    open("over/from/kept.txt");
    open("over/from/new.txt");
    closed("over/to/closed.txt");
    plant("over/to/kept.txt");
    await assertStatus(await call("PATCH", `/api/resources/over/from?${at}/over/to`), 200);
    assertClosed("over/to/closed.txt");
    assertKept("over/to/kept.txt");
    assert.equal((Deno.statSync(join(app.root, "over/to/new.txt")).mode ?? 0) & 0o7777, 0o644);
    assert.deepEqual(attributesOf("over/to/new.txt").get("user.other"), note);
    closed("over/to/closed.txt");
    const answer = await app.call("COPY", "/dav/over/from/closed.txt", {
      headers: { ...basic, destination: "/dav/over/to/closed.txt", overwrite: "T" },
    });
    await assertStatus(answer, 204);
    assertClosed("over/to/closed.txt");
  },
});

Deno.test({
  name: "a move to another disk keeps lists and attributes, and without them the group's rights",
  ignore: ignore || Deno.uid() !== 0,
  async fn() {
    for (const disk of ["memory", "plain"]) Deno.mkdirSync(join(app.root, disk));
    await mount("-t", "tmpfs", "-o", "size=4m", "cubby-test", join(app.root, "memory"));
    await mount("-t", "ramfs", "-o", "size=4m", "cubby-test", join(app.root, "plain"));
    try {
      plant("moved.txt");
      const to = (path: string) => `?action=rename&destination=/${path}`;
      await assertStatus(
        await call("PATCH", `/api/resources/moved.txt${to("memory/moved.txt")}`),
        200,
      );
      const found = attributesOf("memory/moved.txt");
      assert.deepEqual(found.get(accessList), list);
      plant("other.txt");
      await assertStatus(
        await call("PATCH", `/api/resources/other.txt${to("plain/other.txt")}`),
        200,
      );
      const { mode } = Deno.statSync(join(app.root, "plain/other.txt"));
      assert.equal((mode ?? 0) & 0o777, 0o640, "the group may still not write");
    } finally {
      for (const disk of ["memory", "plain"]) {
        await new Deno.Command("umount", { args: [join(app.root, disk)] }).output();
      }
    }
  },
});
