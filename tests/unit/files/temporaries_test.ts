import assert from "node:assert/strict";
import { join } from "node:path";
import { Gate } from "../../../lib/server/core/access/gate.ts";
import { isTemporaryName, makeTemporaryName } from "../../../lib/server/core/access/names.ts";
import {
  StoredUploadJournal,
  sweepTemporaries,
  uploadFolders,
} from "../../../lib/server/files/upload/temporaries.ts";
import { uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { openStore, type Store } from "../../../lib/server/core/kv/store.ts";
import { plant, temporaryFolder, type Tree } from "../../support/disks/files.ts";
import { at, viewer } from "../core/access/visitors.ts";
import { bodyOf, pausedBody } from "./streams.ts";

async function setUp(tree: Tree = {}) {
  const folder = await temporaryFolder();
  await plant(folder.path, tree);
  const store = await openStore(":memory:");
  const folders = new StoredUploadJournal(store);
  return {
    root: folder.path,
    store,
    folders,
    gate: new Gate({ root: folder.path, reserved: [] }, folders),
    names: (path = "") => [...Deno.readDirSync(join(folder.path, path))].map(({ name }) => name),
    async [Symbol.asyncDispose]() {
      store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The state a killed process leaves: the note, and a half-written file. */
async function leave(s: Awaited<ReturnType<typeof setUp>>, path: string): Promise<string> {
  await s.folders.remember(at(path));
  const name = makeTemporaryName();
  await plant(join(s.root, path), { [name]: "half" });
  age(join(s.root, path, name), 1);
  return name;
}

function age(path: string, seconds: number): void {
  const then = Date.now() / 1000 - seconds;
  Deno.utimeSync(path, then, then);
}

const notesIn = (store: Store) => store.list(uploadFolders.prefix());

Deno.test("the sweep spares what is not ours, and what it was not told of", async () => {
  await using s = await setUp({ a: { ".cubby-upload-x": "theirs", "b.txt": "b" }, elsewhere: {} });
  await leave(s, "/a");
  const unknown = makeTemporaryName();
  await plant(join(s.root, "elsewhere"), { [unknown]: "not remembered" });
  assert.equal(await sweepTemporaries(s.gate, s.folders), 1);
  assert.deepEqual(s.names("a").sort(), [".cubby-upload-x", "b.txt"]);
  assert.deepEqual(s.names("elsewhere"), [unknown]);
});

Deno.test("the sweep spares an upload that is under way, here or in another process", async () => {
  await using s = await setUp({ a: {} });
  const old = await leave(s, "/a");
  const { body, reached, finish } = pausedBody("first ", "last");
  const access = s.gate.enter(viewer());
  const upload = uploadFile(access, at("/a/file.txt"), body, { override: false });
  await reached;
  const running = s.names("a").find((name) => isTemporaryName(name) && name !== old) ?? "";
  age(join(s.root, "a", running), 60 * 60);
  assert.equal(await sweepTemporaries(s.gate, s.folders), 0);
  finish();
  await upload;
  assert.equal(Deno.readTextFileSync(join(s.root, "a/file.txt")), "first last");
  assert.equal(await sweepTemporaries(s.gate, s.folders), 1);
  assert.deepEqual(s.names("a"), ["file.txt"]);
});

Deno.test("beside an upload under way, what is older than a day is swept", async () => {
  await using s = await setUp({ a: {} });
  const old = await leave(s, "/a");
  age(join(s.root, "a", old), 25 * 60 * 60);
  const { body, reached, finish } = pausedBody("first ", "last");
  const upload = uploadFile(s.gate.enter(viewer()), at("/a/b"), body, { override: false });
  await reached;
  assert.equal(await sweepTemporaries(s.gate, s.folders), 1);
  finish();
  await upload;
  assert.deepEqual(s.names("a"), ["b"]);
});

Deno.test("the sweep goes on past folders that are gone, are links out, or have become files", async () => {
  await using outside = await temporaryFolder();
  const theirs = makeTemporaryName();
  await plant(outside.path, { [theirs]: "outside" });
  await using s = await setUp({ gone: {}, swapped: {}, file: {}, kept: {} });
  for (const path of ["/gone", "/swapped", "/file", "/kept"]) await leave(s, path);
  for (const path of ["gone", "swapped", "file"]) {
    Deno.removeSync(join(s.root, path), { recursive: true });
  }
  Deno.symlinkSync(outside.path, join(s.root, "swapped"));
  await plant(s.root, { file: "a file now" });
  assert.equal(await sweepTemporaries(s.gate, s.folders), 1);
  assert.deepEqual(s.names("kept"), []);
  assert.deepEqual([...Deno.readDirSync(outside.path)].map(({ name }) => name), [theirs]);
});

Deno.test("a folder is noted once for many uploads, before its first temporary file", async () => {
  await using s = await setUp();
  const access = s.gate.enter(viewer());
  const { body, reached, finish } = pausedBody("a", "b");
  const upload = uploadFile(access, at("/a/1"), body, { override: false });
  await reached;
  const [first] = await notesIn(s.store);
  finish();
  await upload;
  for (const name of ["2", "3", "4"]) {
    await uploadFile(access, at(`/a/${name}`), bodyOf("x"), { override: false });
  }
  const notes = await notesIn(s.store);
  assert.deepEqual(notes, [first]);
  assert.deepEqual(await s.folders.list(), ["/a"]);
});

Deno.test("the note is of the real folder below the root, whatever the scope and the links", async () => {
  await using s = await setUp({ al: { real: {} } });
  Deno.symlinkSync("real", join(s.root, "al/link"));
  const access = s.gate.enter(viewer({ scope: "/al" }));
  await uploadFile(access, at("/link/file"), bodyOf("x"), { override: false });
  assert.deepEqual(await s.folders.list(), ["/al/real"]);
});

Deno.test("a note is kept while a running process may rely on it, and dropped later", async () => {
  await using s = await setUp({ a: {} });
  await leave(s, "/a");
  await sweepTemporaries(s.gate, s.folders);
  const [note] = await notesIn(s.store);
  assert(note !== undefined);
  const old = { folder: "/a", at: Date.now() - 3 * 60 * 60 * 1000 };
  await s.store.atomic((operation) => operation.set(note.key, old));
  await sweepTemporaries(s.gate, s.folders);
  assert.deepEqual(await notesIn(s.store), []);
});

Deno.test("what a killed process leaves is swept at the next start", async () => {
  await using s = await setUp();
  const script = new URL("./endless_upload_script.ts", import.meta.url).pathname;
  const args = ["run", "-A", "--no-check", "--cached-only", script, s.root];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await s.folders.remember(at("/sub"));
  assert.equal(await sweepTemporaries(s.gate, s.folders), 0, "the process lives");
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();
  assert(s.names("sub").some(isTemporaryName));
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(await sweepTemporaries(s.gate, s.folders), 1);
  assert.deepEqual(s.names("sub"), []);
});
