import assert from "node:assert/strict";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import type { ArchiveFolder } from "../../../lib/shared/schemas/archive.ts";
import { tarOf, zipOf } from "../../support/data/hostile_archives.ts";
import { rarOf, sevenZips } from "../../support/data/packed_archives.ts";
import { oldNames } from "../../support/data/old_names.ts";
import { deny } from "../../support/data/rules.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const page = "<script>alert(1)</script>";
const zipped = zipOf([
  { name: "photos/", mode: 0o40755 },
  { name: "photos/sea.jpg", content: "JPEG" },
  { name: "photos/10.txt", content: "ten ".repeat(1000), method: 8 },
  { name: "photos/9.txt", content: "nine" },
  { name: "deep/er/ä #%?日本 `.txt", content: "Grüße" },
  { name: "index.html", content: page },
  { name: Uint8Array.from([0x82, 0x2e, 0x74, 0x78, 0x74]), content: "old", flags: 0 },
  { name: "secret.txt", content: "xxxx", flags: 0x801 },
  { name: "link", content: "/etc/passwd", mode: 0o120777 },
]);
const tarred = tarOf([
  { name: "photos/", type: "5" },
  { name: "photos/sea.jpg", content: "JPEG" },
  { name: "photos/hard", type: "1", link: "photos/sea.jpg" },
  { name: "photos/link", type: "2", link: "/etc/passwd" },
  { name: "big.bin", content: new Uint8Array(700_000).fill(7) },
  { name: "after.txt", content: "after" },
]);
const app = await startApp({
  tree: {
    "a.zip": zipped,
    "a.tar": tarred,
    "a.tar.gz": gzipSync(tarred),
    "a.tar.br": brotliCompressSync(tarred),
    "cut.tar": tarred.subarray(0, 300_000),
    "a.txt": "no archive at all",
    "a.7z": sevenZips.plain,
    "locked.7z": sevenZips.locked,
    "hidden.7z": sevenZips.hidden,
    "cut.7z": sevenZips.plain.subarray(0, 150),
    "a.rar": rarOf({ "deep/one.txt": "one", "two.txt": "two" }),
    "evil.rar": rarOf({ "../two.txt": "two" }),
    "folder.zip": {},
    secret: { "b.zip": zipped },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string, headers?: Record<string, string>, as = token) =>
  app.call("GET", `/api/archive${path}`, { token: as, headers });
const list = async (path: string): Promise<ArchiveFolder> => {
  const answer = await get(path);
  assert.equal(answer.status, 200);
  return await answer.json();
};
const names = async (path: string) => (await list(path)).items.map(({ name }) => name);
const named = (path: string) => encodeURIComponent(path);

Deno.test("an archive is refused as the file itself is, for HEAD as well", async () => {
  await assertRefused(await get("/none.zip"), 404, "not_found");
  await assertRefused(await get("/folder.zip"), 409, "is_folder");
  await assertRefused(await get("/%zz"), 400, "invalid_path");
  await assertRefused(await get("/a.txt"), 501, "not_supported");
  await assertRefused(await get("/cut.tar"), 422, "broken_archive");
  const { token: weak } = await app.addUser("rosa", { perm: { download: false } });
  const { token: kept } = await app.addUser("ruth", { rules: [deny("/secret")] });
  const { token: low } = await app.addUser("sam", { scope: "/secret" });
  for (const query of ["", "?entry=index.html", "?inside=/photos"]) {
    await assertRefused(await get(`/a.zip${query}`, {}, weak), 403, "forbidden");
    await assertRefused(await get(`/secret/b.zip${query}`, {}, kept), 403, "forbidden");
    await assertRefused(await get(`/../a.zip${query}`, {}, low), 404, "not_found");
    const head = await app.call("HEAD", `/api/archive/a.zip${query}`, { token: weak });
    await assertStatus(head, 403);
    await assertRefused(await app.call("GET", `/api/archive/a.zip${query}`), 401, "not_signed_in");
  }
});

Deno.test("what an archive does not have, or cannot hand out, is refused with its reason", async () => {
  const cases: [string, number, ErrorCode][] = [
    ["/a.zip?inside=/none", 404, "not_found"],
    ["/a.zip?inside=/index.html", 404, "not_found"],
    ["/a.zip?sort=colour", 400, "invalid_option"],
    ["/a.zip?offset=-1", 400, "invalid_option"],
    ["/a.zip?inside=/%00", 400, "invalid_path"],
    ["/a.zip?entry=none", 404, "not_found"],
    ["/a.zip?entry=photos", 409, "is_folder"],
    ["/a.zip?entry=photos/", 409, "is_folder"],
    ["/a.zip?entry=link", 403, "not_a_file"],
    ["/a.zip?entry=secret.txt", 422, "encrypted_archive"],
    ["/a.tar?entry=photos/link", 403, "not_a_file"],
  ];
  for (const [path, status, code] of cases) {
    await assertRefused(await get(path), status, code, path);
  }
});

Deno.test("a folder of a zip is listed in parts, in the chosen order, folders first", async () => {
  const top = await list("/a.zip");
  assert.deepEqual(top.items.map(({ name, kind }) => `${name} ${kind}`), [
    ...["deep folder", "photos folder", "é.txt file", "index.html file", "link link"],
    "secret.txt file",
  ]);
  assert.deepEqual([top.numDirs, top.numFiles, top.total], [2, 4, 11]);
  assert.equal(top.items.find(({ name }) => name === "photos")?.size, 4008);
  const photos = await list("/a.zip?inside=/photos");
  assert.deepEqual(photos.items.map(({ name }) => name), ["9.txt", "10.txt", "sea.jpg"]);
  assert.deepEqual(await names("/a.zip?inside=/photos/&offset=1&limit=1"), ["10.txt"]);
  const bySize = await names("/a.zip?inside=/photos/&sort=size&order=desc");
  assert.equal(bySize[0], "10.txt");
  const [secret] = top.items.filter(({ encrypted }) => encrypted);
  assert.equal(secret?.name, "secret.txt");
  const [sea] = photos.items.slice(-1);
  assert.equal(sea?.modified, "2024-01-01T00:00:00.000Z");
  assert.deepEqual([sea?.type, sea?.extension, sea?.path], ["image", ".jpg", "/photos/sea.jpg"]);
});

Deno.test("a file comes out of every kind of archive as it went in", async () => {
  const text = await get(`/a.zip?entry=${named("/deep/er/ä #%?日本 `.txt")}`);
  assert.equal(await text.text(), "Grüße");
  assert.equal(await (await get("/a.zip?entry=photos/10.txt")).text(), "ten ".repeat(1000));
  for (const archive of ["a.tar", "a.tar.gz", "a.tar.br"]) {
    assert.equal(await (await get(`/${archive}?entry=after.txt`)).text(), "after", archive);
    assert.equal(await (await get(`/${archive}?entry=photos/hard`)).text(), "JPEG", archive);
    const big = await (await get(`/${archive}?entry=big.bin`)).bytes();
    assert.ok(big.length === 700_000 && big.every((byte) => byte === 7), archive);
    assert.deepEqual(await names(`/${archive}`), ["photos", "after.txt", "big.bin"]);
  }
});

Deno.test("a page in an archive is as harmless as one beside it", async () => {
  const answer = await get("/a.zip?entry=index.html&inline=true");
  assert.equal(await answer.text(), page);
  const { headers } = answer;
  assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("content-length"), String(page.length));
  assert.match(headers.get("content-disposition") ?? "", /^inline; filename="index.html"/);
  const saved = await get("/a.zip?entry=index.html");
  assert.match(saved.headers.get("content-disposition") ?? "", /^attachment/);
  await saved.body?.cancel();
  const etag = headers.get("etag") ?? "";
  await assertStatus(await get("/a.zip?entry=index.html", { "if-none-match": etag }), 304);
  const asCode = await get("/a.zip?entry=index.html", { "sec-fetch-dest": "script" });
  await assertRefused(asCode, 403, "forbidden");
  const head = await app.call("HEAD", "/api/archive/a.zip?entry=index.html", { token });
  assert.equal(head.headers.get("content-length"), String(page.length));
});

Deno.test("an archive that is replaced is read anew", async () => {
  const path = join(app.root, "new.zip");
  Deno.writeFileSync(path, zipOf([{ name: "one", content: "1" }]));
  assert.deepEqual(await names("/new.zip"), ["one"]);
  Deno.writeFileSync(path, zipOf([{ name: "two", content: "22" }]));
  assert.deepEqual(await names("/new.zip"), ["two"]);
  Deno.removeSync(path);
  await assertRefused(await get("/new.zip"), 404, "not_found");
});

Deno.test("a client that does not wait hears how far an archive has been read", async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ name: `f${index}.txt` }));
  Deno.writeFileSync(join(app.root, "many.tar.gz"), gzipSync(tarOf(rows), { level: 1 }));
  const prefer = { prefer: "respond-async, wait=0" };
  const first = await get("/many.tar.gz", prefer);
  assert.equal(first.status, 202);
  const { reading } = await first.json();
  assert.ok(reading.bytes <= reading.size && reading.size > 0);
  let answer = await get("/many.tar.gz?limit=2", prefer);
  while (answer.status === 202) {
    await answer.body?.cancel();
    answer = await get("/many.tar.gz?limit=2", { prefer: "respond-async, wait=1" });
  }
  const folder: ArchiveFolder = await answer.json();
  assert.deepEqual(folder.items.map(({ name }) => name), ["f0.txt", "f1.txt"]);
  assert.equal(folder.numFiles, rows.length);
});

Deno.test("7z and RAR are read by the library, and refused where it cannot read them", async () => {
  assert.deepEqual(await names("/a.7z"), ["photos", "one.txt"]);
  assert.deepEqual(await names("/a.7z?inside=/photos/deep"), ["ä 日本.txt"]);
  const deep = await get(`/a.7z?entry=${named("/photos/deep/ä 日本.txt")}`);
  assert.equal(await deep.text(), "Grüße");
  assert.equal(await (await get("/a.7z?entry=photos/sea.txt")).text(), "sea ".repeat(50));
  assert.deepEqual(await names("/a.rar"), ["deep", "two.txt"]);
  assert.equal(await (await get("/a.rar?entry=deep/one.txt")).text(), "one");
  assert.equal((await list("/evil.rar")).refused.count, 1);
  const [locked] = (await list("/locked.7z")).items;
  assert.ok(locked?.encrypted);
  await assertRefused(await get("/locked.7z?entry=one.txt"), 422, "encrypted_archive");
  await assertRefused(await get("/hidden.7z"), 422, "encrypted_archive");
  await assertRefused(await get("/cut.7z"), 422, "broken_archive");
});

Deno.test("a tar with names that are not UTF-8 is listed and read by the names that were meant", async () => {
  for (const [encoding, { names: meant, bytes }] of Object.entries(oldNames)) {
    const entries = bytes.map((name) => ({ name, content: "read" }));
    const [first = ""] = meant;
    // A link within the archive has the name of its file in the same encoding.
    const tar = tarOf([...entries, { name: "hard", type: "1", link: bytes[0] }]);
    for (const [name, archive] of [["old.tar", tar], ["old.tar.gz", gzipSync(tar)]] as const) {
      Deno.writeFileSync(join(app.root, name), archive);
      const { items } = await list(`/${name}`);
      const found = items.map(({ name, kind }) => `${name} ${kind}`).sort();
      assert.deepEqual(found, ["hard", ...meant].map((name) => `${name} file`).sort(), encoding);
      for (const entry of [first, "hard"]) {
        const answer = await get(`/${name}?entry=${named(entry)}`);
        assert.equal(await answer.text(), "read");
      }
      Deno.removeSync(join(app.root, name));
    }
  }
});
