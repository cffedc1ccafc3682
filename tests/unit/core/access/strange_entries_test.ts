import assert from "node:assert/strict";
import { join } from "node:path";
import { removeEntry } from "../../../../lib/server/files/remove.ts";
import { uploadFile } from "../../../../lib/server/files/upload/upload.ts";
import { openListingWorker } from "../../../../lib/server/files/workers/workers.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";
import { deny } from "../../../support/data/rules.ts";
import { assertDenied, assertDeniedLater, at, enter } from "./visitors.ts";

/** A folder with a pipe, a listening socket, and a link to a device if it may be looked at. */
async function withSpecialEntries() {
  const folder = await temporaryFolder();
  await new Deno.Command("mkfifo", { args: [join(folder.path, "pipe")] }).output();
  const socket = Deno.listen({ transport: "unix", path: join(folder.path, "socket") });
  await plant(folder.path, { "a.txt": "a" });
  Deno.symlinkSync("pipe", join(folder.path, "to pipe"));
  return {
    root: folder.path,
    access: enter(folder.path),
    async [Symbol.asyncDispose]() {
      socket.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("pipes and sockets are never opened", async () => {
  await using s = await withSpecialEntries();
  for (const name of ["pipe", "socket", "to pipe"]) {
    const path = at(`/${name}`);
    assertDenied(() => s.access.read(path), "not_a_file");
    assertDenied(() => s.access.peek(path), "not_a_file");
    assertDenied(() => s.access.folder(path), "not_found");
    await assertDeniedLater(uploadFile(s.access, path, null, { override: true }), "not_a_file");
    await assertDeniedLater(uploadFile(s.access, path, null, { override: false }), "exists");
    const entry = s.access.stat(path);
    assert(!entry.isFile && !entry.isFolder);
  }
});

Deno.test("devices behind a link out of the root are refused without a look", async () => {
  await using s = await withSpecialEntries();
  for (const device of ["/dev/zero", "/dev/tty", "/proc/self/mem"]) {
    Deno.symlinkSync(device, join(s.root, "device"));
    assertDenied(() => s.access.read(at("/device")), "forbidden", device);
    Deno.removeSync(join(s.root, "device"));
  }
});

Deno.test("a pipe can be removed", async () => {
  await using s = await withSpecialEntries();
  await removeEntry(s.access, openListingWorker(), at("/pipe"));
  assert.throws(() => Deno.lstatSync(join(s.root, "pipe")), Deno.errors.NotFound);
});

const strangeNames = [
  "#%?日本 `.txt",
  "quotes ' and \".txt",
  "new\nline.txt",
  "tab\t.txt",
  "emoji 👩‍👩‍👧‍👦.txt",
  "right ‏שלום‎ to left ‮gnp.exe",
  "back\\slash\\..\\name",
  " leading and trailing ",
  "...",
  "%2e%2e%2f",
  "-rf",
  "\u0001control",
  "é and e\u0301",
  "x".repeat(255),
  "日".repeat(85),
];

for (const name of strangeNames) {
  Deno.test(`the name ${JSON.stringify(name.slice(0, 30))} is written, listed, read and removed`, async () => {
    await using folder = await temporaryFolder();
    const access = enter(folder.path);
    const path = at(`/${name}`);
    await uploadFile(access, path, new Blob(["text"]).stream(), { override: false });
    const { children } = access.folder(at("/")).read();
    assert.deepEqual(children.map((child) => child.name), [name]);
    assert.equal(Deno.readTextFileSync(join(folder.path, name)), "text");
    (await access.read(path).open()).close();
    await removeEntry(access, openListingWorker(), path);
    assert.deepEqual([...Deno.readDirSync(folder.path)], []);
  });
}

Deno.test("a name of 256 bytes is refused before anything is written", async () => {
  await using folder = await temporaryFolder();
  const access = enter(folder.path);
  for (const name of ["x".repeat(256), "日".repeat(86)]) {
    assertDenied(() => access.create(at(`/${name}`)), "invalid_name");
    assertDenied(() => access.stat(at(`/${name}/below`)), "invalid_name");
    const upload = uploadFile(access, at(`/new/${name}`), null, { override: true });
    await assertDeniedLater(upload, "invalid_name");
  }
  assert.deepEqual([...Deno.readDirSync(folder.path)], []);
});

/** Deno can't write a name that is not UTF-8, the shell can. */
async function plantRawNames(folder: string) {
  const script =
    `cd "$1" && printf x > "$(printf 'bad\\377.txt')" && mkdir "$(printf 'dir\\376')" &&
    printf y > "$(printf 'dir\\376')/inner.txt" && ln -s / "$(printf 'link\\375')"`;
  const { success } = await new Deno.Command("sh", { args: ["-c", script, "sh", folder] }).output();
  assert(success);
}

Deno.test("names that are not UTF-8 are listed, read, written and removed by their spelling", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, {
    sub: { "good.txt": "good", "real \uFFFD.txt": "a name like others" },
  });
  await plantRawNames(join(folder.path, "sub"));
  const access = enter(folder.path);
  const { children, denied } = access.folder(at("/sub")).read();
  const names = ["bad\uefff.txt", "dir\ueffe", "good.txt", "link\ueffd", "real \uFFFD.txt"];
  assert.deepEqual([children.map(({ name }) => name).sort(), denied], [names.sort(), 0]);
  using file = await access.read(at("/sub/bad\uefff.txt")).open();
  const buffer = new Uint8Array(10);
  assert.equal(await file.read(buffer), 1);
  const path = at("/sub/dir\ueffe/new\uefee.txt");
  await uploadFile(access, path, new Blob(["new"]).stream(), { override: false });
  assert.equal(access.stat(path).info.size, 3);
  assert.equal(access.stat(at("/sub/dir\ueffe/inner.txt")).info.size, 1);
  assertDenied(() => access.read(at("/sub/bad\uFFFD.txt")), "not_found");
  const listingWorker = openListingWorker();
  try {
    await removeEntry(access, listingWorker, at("/sub"));
    assert.deepEqual([...Deno.readDirSync(folder.path)], []);
  } finally {
    listingWorker.close();
  }
});

Deno.test("bytes that spell a name do not lead around a rule for it", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { "ü.txt": "secret" });
  const access = enter(folder.path, { rules: [deny("/ü.txt")] });
  assertDenied(() => access.stat(at("/ü.txt")), "forbidden");
  assertDenied(() => access.stat(at("/\uefc3\uefbc.txt")), "invalid_path");
  assertDenied(() => access.read(at("/\uefc3\uefbc.txt")), "invalid_path");
  assertDenied(() => access.create(at("/\uefc3\uefbc/new.txt")), "invalid_path");
});
