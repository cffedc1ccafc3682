import assert from "node:assert/strict";
import { rarOf, sevenZips } from "../../../support/data/packed_archives.ts";
import {
  dictionaryOf,
  hasEncryptedNames,
  parseList,
} from "../../../../lib/server/features/archive/extract/library/seven_zip.ts";

const list = (text: string) => parseList(new TextEncoder().encode(text));

Deno.test("parseList() reads folders, links and encrypted files", () => {
  const entries = list(
    "Path = /archive\n\n----------\nPath = a = b.txt\nSize = 5\nModified = 2026-11-23 18:19:39.4410000\n" +
      "Attributes = A -rw-\nCRC = FBD37071\nEncrypted = +\nMethod = LZMA2:12\n\n" +
      "Path = deep\nSize = 0\nAttributes = D drwxr-xr-x\n\n" +
      "Path = link\nFolder = -\nSize = 4\nSymbolic Link = a\n\n",
  );
  assert.deepEqual(entries.map(({ path, kind, size, printed }) => [path, kind, size, printed]), [
    ["a = b.txt", "file", 5, 5],
    ["deep", "folder", 0, 0],
    ["link", "link", 0, 4],
  ]);
  assert.deepEqual(entries[0]?.isEncrypted, true);
  assert.equal(new Date(entries[0]?.modified ?? 0).toISOString(), "2026-11-23T18:19:39.441Z");
  assert.equal(entries[1]?.modified, null);
  assert.deepEqual(list("no list"), []);
});

Deno.test("parseList() reads the permissions of files", () => {
  const modeIn = (attributes: string) =>
    list(`\n----------\nPath = a\nAttributes = ${attributes}\n`)[0]?.mode;
  assert.equal(modeIn("A -rwxr-xr-x"), 0o755);
  assert.equal(modeIn("A_ -rw-r-----"), 0o640);
  assert.equal(modeIn("A -rwsr-Sr-t"), 0o745);
  assert.equal(modeIn("A"), null);
  assert.equal(modeIn("A -rw-"), null);
});

Deno.test("dictionaryOf() tells how much memory a method asks for", () => {
  const known: [string, number][] = [
    ["LZMA2:12", 4096],
    ["LZMA2:30 7zAES:19", 2 ** 30],
    ["PPMD:o6:mem24", 2 ** 24],
    ["v5:m3:128M", 128 * 2 ** 20],
    ["LZMA:1536m", 1536 * 2 ** 20],
    ["Copy", 0],
    ["LZMA2:999", 2 ** 63],
  ];
  for (const [method, size] of known) assert.equal(dictionaryOf(method), size, method);
});

Deno.test("hasEncryptedNames() tells a password from damage, in any 7z and RAR", () => {
  const rar5 = (...block: number[]) =>
    Uint8Array.of(0x52, 0x61, 0x72, 0x21, 0x1a, 7, 1, 0, 1, 2, 3, 4, ...block);
  const rar4 = new Uint8Array(rarOf({ "a.txt": "a" }));
  const locked = rar4.slice();
  locked[10] = (locked[10] ?? 0) | 0x80;
  for (const bytes of [sevenZips.hidden, locked, rar5(0x21, 4, 0), rar5(0xa1, 0, 4, 0)]) {
    assert.ok(hasEncryptedNames(new Uint8Array(bytes)));
  }
  const others = [
    ...[sevenZips.plain, sevenZips.locked, sevenZips.hidden.subarray(0, 40), rar4],
    ...[rar5(0x0a, 1, 5), rar5(), new Uint8Array(), sevenZips.hidden.subarray(0, 7)],
  ];
  for (const bytes of others) assert.ok(!hasEncryptedNames(new Uint8Array(bytes)));
});
