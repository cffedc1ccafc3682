import assert from "node:assert/strict";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { startApp } from "../../support/server/app.ts";
import { runArchiver } from "../../support/disks/archivers.ts";
import { memoryPlace, temporaryFolder } from "../../support/disks/files.ts";
import { namesInTar, namesInZip } from "../../support/disks/unpack.ts";

const gib = 2 ** 30;
const decoder = new TextDecoder();
const place = await temporaryFolder(memoryPlace());
const app = await startApp({
  config: { root: place.path },
  tree: { many: {}, huge: { "z after it.txt": "after" } },
});
const { url } = app.listen();
Deno.test.afterAll(async () => {
  await app.close();
  await place[Symbol.asyncDispose]();
});
const token = await app.tokenOf("admin");
const huge = join(app.root, "huge/huge.bin");

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/raw${path}`, { headers: { "x-auth": token, ...headers } });

/** More than fit into the 16 bits of the old format. */
const count = 70_000;

Deno.test("70,000 small files are all there, with the sums that archivers expect", async () => {
  plantLinks();
  await using folder = await temporaryFolder();
  const file = join(folder.path, "many.zip");
  const bytes = await (await get("/many/")).bytes();
  await Deno.writeFile(file, bytes);
  await runArchiver("unzip", ["-tqq", file]);
  const tar = await (await get("/many/?algo=tar.zst")).bytes();
  for (const names of [await namesInZip(bytes), await namesInTar("tar.zst", tar)]) {
    assert.equal(new Set(names).size, count);
    assert.deepEqual([names.at(0), names.at(-1)], ["entry 100000", "entry 169999"]);
  }
});

/** Many names for a few files, which is quicker than many files, and the same to an archive. */
function plantLinks(): void {
  const nameOf = (index: number) => join(app.root, "many", `entry ${100_000 + index}`);
  for (let index = 0; index < count; index++) {
    if (index < 10) Deno.writeTextFileSync(nameOf(index), `${index}\n`);
    else Deno.linkSync(nameOf(index % 10), nameOf(index));
  }
}

Deno.test("5 GiB go into a zip that breaks off and is gone on with, and into a tar", async () => {
  plantHuge();
  const head = await app.call("HEAD", "/api/raw/huge/", { token });
  const length = Number(head.headers.get("content-length"));
  const etag = head.headers.get("etag") ?? "";
  assert.ok(length > 5 * gib && length < 5 * gib + 1_000);

  await using folder = await temporaryFolder(memoryPlace());
  const file = join(folder.path, "huge.zip");
  using zip = await Deno.open(file, { write: true, createNew: true });
  // What lies between is zeros, as a hole is: only the ends are fetched.
  for (const range of [`bytes=0-999999`, `bytes=${length - 1_000_000}-`]) {
    const answer = await get("/huge/", { range, "if-range": etag });
    assert.equal(answer.status, 206);
    const [, start] = /^bytes (\d+)-/.exec(answer.headers.get("content-range") ?? "") ?? [];
    await zip.seek(Number(start), Deno.SeekMode.Start);
    for await (const chunk of answer.body ?? []) {
      for (let done = 0; done < chunk.length;) done += await zip.write(chunk.subarray(done));
    }
  }
  assert.equal((await Deno.stat(file)).size, length);
  // Testing all of it takes unzip half a minute: it is asked for what it goes by instead.
  const told = decoder.decode(await runArchiver("unzip", ["-Zv", file, "huge.bin"]));
  assert.match(told, new RegExp(`uncompressed size: +${5 * gib} bytes`));
  const crc = sumOf(huge).toString(16).padStart(8, "0");
  assert.match(told, new RegExp(`CRC value \\(hex\\): +${crc}\n`));
  const after = await runArchiver("unzip", ["-p", file, "z after it.txt"]);
  assert.equal(decoder.decode(after), "after");

  const tar = await get("/huge/?algo=tar.zst");
  const { body } = tar;
  const listed = await runArchiver("tar", ["--zstd", "-tv", "--full-time"], { input: body });
  const text = decoder.decode(listed);
  assert.match(text, new RegExp(` ${5 * gib} .* huge.bin\n`));
  assert.match(text, / 5 .* z after it.txt\n/);
});

/** A file that is all holes but for its ends. */
function plantHuge(): void {
  using file = Deno.openSync(huge, { write: true, createNew: true });
  file.writeSync(new TextEncoder().encode("begin"));
  file.truncateSync(5 * gib);
  file.seekSync(-3, Deno.SeekMode.End);
  file.writeSync(new TextEncoder().encode("end"));
}

/** The CRC-32 of a file. */
function sumOf(path: string): number {
  using file = Deno.openSync(path);
  const buffer = new Uint8Array(2 ** 20);
  let crc = 0;
  for (;;) {
    const read = file.readSync(buffer);
    if (read === null) return crc;
    crc = crc32(buffer.subarray(0, read), crc);
  }
}
