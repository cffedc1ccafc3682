/** Downloads of what Deno itself can't name: names that are not UTF-8, and very long paths. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { archiveFormats } from "../../../lib/shared/schemas/choices/choices.ts";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";
import { startApp } from "../../support/server/app.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";
import { namesInTar, namesInZip, treeOf, unpack } from "../../support/disks/unpack.ts";

/** The byte 0xFF in a name, as lib/shared/entry_names.ts spells it. */
const rawByte = "\uefff";
const size = 3_000_000;
const content = new Uint8Array(size);
for (let at = 0; at < size; at++) content[at] = at % 251;

const app = await startApp({ tree: { raw: {}, long: {} } });
const { url } = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/raw${path}`, { headers: { "x-auth": token, ...headers } });

write(join(app.root, "raw"), `a${rawByte}.bin`, content);
/** Longer than any path that a system takes in one call; the names are not plain, either. */
const folders = Array.from({ length: 30 }, (_, index) => `${index}${"ä".repeat(100)}`);
let above = join(app.root, "long");
for (const name of folders) {
  using folder = disk.folder(above);
  folder.makeFolder(name);
  above = join(above, name);
}
write(above, "end.bin", content);

const files: Record<string, { path: string; real: string; name: string }> = {
  "a name that is not UTF-8": {
    path: `/raw/${encodeURIComponent(`a${rawByte}.bin`)}`,
    real: join(app.root, "raw", `a${rawByte}.bin`),
    name: "a\ufffd.bin",
  },
  "a path of over 4,096 bytes": {
    path: ["/long", ...folders.map(encodeURIComponent), "end.bin"].join("/"),
    real: join(above, "end.bin"),
    name: "end.bin",
  },
};

for (const [told, { path, real, name }] of Object.entries(files)) {
  Deno.test(`a file with ${told} is denied by a rule like others`, async () => {
    const top = `/${path.split("/")[1]}`;
    const { token: amy } = await app.addUser(`user${name.length}`, { rules: [deny(top)] });
    const answer = await app.call("GET", `/api/raw${path}`, { token: amy });
    await assertRefused(answer, 403, "forbidden");
  });

  Deno.test(`a file with ${told} is downloaded, whole and in parts`, async () => {
    const whole = await get(path);
    assert.equal(whole.status, 200);
    assert.equal(whole.headers.get("content-length"), String(size));
    const disposition = whole.headers.get("content-disposition") ?? "";
    assert.ok(disposition.endsWith(`filename*=UTF-8''${encodeURIComponent(name)}`), disposition);
    assert.deepEqual(await whole.bytes(), content);

    const [start, end] = [1_000_001, 2_500_000];
    const part = await get(path, { range: `bytes=${start}-${end}` });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get("content-range"), `bytes ${start}-${end}/${size}`);
    assert.deepEqual(await part.bytes(), content.slice(start, end + 1));

    const parts = await (await get(path, { range: "bytes=251-253,-2" })).bytes();
    const text = new TextDecoder("latin1").decode(parts).replaceAll("\0", "0");
    assert.match(text, /251-253\/3000000\r\n\r\n0..\r\n/s);
    assert.match(text, new RegExp(`2999998-2999999/3000000\r\n\r\n..\r\n`, "s"));

    const head = await app.call("HEAD", `/api/raw${path}`, { token });
    assert.equal(head.headers.get("etag"), whole.headers.get("etag"));
    const etag = head.headers.get("etag") ?? "";
    assert.equal((await get(path, { "if-none-match": etag })).status, 304);
    await becomesClosed(real);
  });

  Deno.test(`a file with ${told} is closed when its reader leaves`, async () => {
    for (const range of ["bytes=0-", "bytes=1-2000000", "bytes=0-1000000,1500000-2999999"]) {
      const controller = new AbortController();
      const answer = await fetch(`${url}/api/raw${path}`, {
        headers: { "x-auth": token, range },
        signal: controller.signal,
      });
      const reader = answer.body?.getReader();
      await reader?.read();
      controller.abort();
      await reader?.read().catch(() => {});
      await becomesClosed(real);
    }
  });

  Deno.test(`a file with ${told} has a checksum, and its type is told by its bytes`, async () => {
    const answer = await app.call("GET", `/api/resources${path}?checksum=sha256`, { token });
    const { checksums, type } = await answer.json();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
    assert.deepEqual(checksums, { sha256: digest.toHex() });
    assert.equal(type, "blob");
  });
}

Deno.test("names that are not UTF-8 come into an archive with U+FFFD, each another", async () => {
  const root = join(app.root, "raw");
  const folderName = `dir${rawByte}`;
  {
    using folder = disk.folder(root);
    folder.makeFolder(folderName);
  }
  const alike = ["x\ueffe.txt", "x\ueffd.txt", "x\ufffd.txt"];
  for (const name of alike) write(join(root, folderName), name, new TextEncoder().encode(name));
  const path = `/raw/${encodeURIComponent(folderName)}/`;
  const expected = ["x\ufffd.txt", "x\ufffd.txt_", "x\ufffd.txt__"];
  const zip = await get(path);
  assert.match(zip.headers.get("content-disposition") ?? "", /UTF-8''dir%EF%BF%BD\.zip$/);
  assert.deepEqual((await namesInZip(await zip.bytes())).sort(), expected);
  const tar = await (await get(`${path}?algo=tar`)).bytes();
  assert.deepEqual((await namesInTar("tar", tar)).sort(), expected);
  for (const kind of archiveFormats) {
    await using folder = await temporaryFolder();
    await unpack(kind, await (await get(`/raw/?algo=${kind}`)).bytes(), folder.path);
    assert.equal(treeOf(folder.path).length, 5, kind);
    assert.deepEqual(await Deno.readFile(join(folder.path, "a\ufffd.bin")), content);
    // A name that any system can have stays with its own file.
    const own = await Deno.readTextFile(join(folder.path, "dir\ufffd/x\ufffd.txt"));
    assert.equal(own, "x\ufffd.txt");
  }
  const chosen = encodeURIComponent(encodeURIComponent(`a${rawByte}.bin`));
  const names = await namesInZip(await (await get(`/raw/?files=${chosen}`)).bytes());
  assert.deepEqual(names, ["a\ufffd.bin"]);
});

/** Writes a new file by a way that takes any name. */
function write(folder: string, name: string, bytes: Uint8Array<ArrayBuffer>): void {
  using open = disk.folder(folder);
  using file = open.file(name, "create");
  file.write(bytes, 0);
}

/** Waits until this process, which serves, has the file open no more: found by its inode. */
async function becomesClosed(real: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (isOpen(real) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.ok(!isOpen(real));
}

function isOpen(real: string): boolean {
  const { ino, dev } = disk.look(real) ?? {};
  return [...Deno.readDirSync("/proc/self/fd")].some(({ name }) => {
    try {
      const open = Deno.statSync(`/proc/self/fd/${name}`);
      return open.ino === ino && open.dev === dev;
    } catch {
      return false; // Closed since the folder was read.
    }
  });
}

Deno.test("an entry whose name is not UTF-8 is listed, renamed, moved, replaced and deleted by its spelling", async () => {
  Deno.mkdirSync(join(app.root, "names/into"), { recursive: true });
  write(join(app.root, "names"), `caf\uefe9.txt`, new TextEncoder().encode("coffee"));
  const bytesIn = async (folder: string) =>
    (await new Deno.Command("ls", { args: ["-b", join(app.root, folder)], env: { LC_ALL: "C" } })
      .output().then(({ stdout }) => new TextDecoder().decode(stdout))).trim();
  const call = async (method: string, path: string, body?: string) => {
    const answer = await app.call(method, `/api/resources/names/${path}`, { token, body });
    assert.equal(answer.status, 200, `${method} ${path}: ${await answer.text()}`);
  };
  const to = (path: string) => encodeURIComponent(`/names/${path}`);

  const listing = await (await app.call("GET", "/api/resources/names", { token })).json();
  const { name, path } = listing.items.find(({ isDir }: { isDir: boolean }) => !isDir);
  assert.deepEqual([name, path], ["caf\uefe9.txt", "/names/caf\uefe9.txt"]);
  const spelled = encodeURIComponent(name);
  const action = (destination: string) => `?action=rename&destination=${to(destination)}`;
  await call("PATCH", `${spelled}${action("th\uefe9.txt")}`);
  assert.equal(await bytesIn("names"), "into\nth\\351.txt");
  await call("PATCH", `th%EE%BF%A9.txt${action("into/th\uefe9.txt")}`);
  await call("POST", "into/th%EE%BF%A9.txt?override=true", "tea");
  assert.equal(await (await get("/names/into/th%EE%BF%A9.txt")).text(), "tea");
  assert.equal(await bytesIn("names/into"), "th\\351.txt");
  await call("DELETE", "into/th%EE%BF%A9.txt");
  assert.equal(await bytesIn("names/into"), "");
});
