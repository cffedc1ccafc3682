import assert from "node:assert/strict";
import { join } from "node:path";
import { removeEntry } from "../../../lib/files/remove.ts";
import { uploadFile } from "../../../lib/files/upload.ts";
import { Walker } from "../../../lib/walk/walker.ts";
import { plant, temporaryFolder } from "../../support/files.ts";
import { deny } from "../../support/rules.ts";
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
  await removeEntry(s.access, new Walker(), at("/pipe"));
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
    await removeEntry(access, new Walker(), path);
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
async function plantUnnameable(folder: string) {
  const script =
    `cd "$1" && printf x > "$(printf 'bad\\377.txt')" && mkdir "$(printf 'dir\\376')" &&
    printf y > "$(printf 'dir\\376')/inner.txt" && ln -s / "$(printf 'link\\375')"`;
  const { success } = await new Deno.Command("sh", { args: ["-c", script, "sh", folder] }).output();
  assert(success);
}

Deno.test("names that are not UTF-8 are left out, and their folder can still be deleted", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, {
    sub: { "good.txt": "good", "real \uFFFD.txt": "a name like others" },
  });
  await plantUnnameable(join(folder.path, "sub"));
  const access = enter(folder.path);
  const { children, denied, unnameable } = access.folder(at("/sub")).read();
  assert.deepEqual(children.map(({ name }) => name).sort(), ["good.txt", "real \uFFFD.txt"]);
  assert.deepEqual([denied, unnameable], [0, 3]);
  assertDenied(() => access.read(at("/sub/bad\uFFFD.txt")), "not_found");
  const walker = new Walker();
  try {
    await removeEntry(access, walker, at("/sub"));
    assert.deepEqual([...Deno.readDirSync(folder.path)], []);
  } finally {
    walker.close();
  }
});

Deno.test("a folder that can't be named is not deleted where rules might hold below it", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { sub: {} });
  await plantUnnameable(join(folder.path, "sub"));
  const walker = new Walker();
  try {
    const access = enter(folder.path, { rules: [deny("/elsewhere")] });
    await assertDeniedLater(removeEntry(access, walker, at("/sub")), "forbidden");
    assert.equal([...Deno.readDirSync(join(folder.path, "sub"))].length, 3);
  } finally {
    walker.close();
  }
});
