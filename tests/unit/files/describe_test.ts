import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Sorting } from "../../../lib/shared/schemas/view.ts";
import {
  describe,
  type DescribeOptions,
  resourceOf,
} from "../../../lib/server/files/listing/describe.ts";
import { diskUsage } from "../../../lib/server/files/disk_usage.ts";
import { makeFolder } from "../../../lib/server/files/make_folder.ts";
import { openContent, statContent } from "../../../lib/server/files/content/open_content.ts";
import { openContentWorker, openListingWorker } from "../../../lib/server/files/workers/workers.ts";
import { plant, plantMany, temporaryFolder, type Tree } from "../../support/disks/files.ts";
import { deny } from "../../support/data/rules.ts";
import { assertDenied, assertDeniedLater, at, enter } from "../core/access/visitors.ts";

const byName: Sorting = { by: "name", asc: true };

async function setUp(tree: Tree = {}) {
  const folder = await temporaryFolder();
  await plant(folder.path, tree);
  const listingWorker = openListingWorker();
  const contentWorker = openContentWorker();
  return {
    root: folder.path,
    listingWorker,
    async tell(path: string, options: Partial<DescribeOptions> = {}, as = {}) {
      const access = enter(folder.path, as);
      return await describe(access, { listingWorker, contentWorker }, at(path), {
        sorting: byName,
        ...options,
      });
    },
    async [Symbol.asyncDispose]() {
      listingWorker.close();
      contentWorker.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("describe() refuses unknown digests, and digests of folders", async () => {
  await using s = await setUp({ "a.txt": "a" });
  for (const checksum of ["md4", "", "SHA256", "__proto__"]) {
    await assertDeniedLater(s.tell("/a.txt", { checksum }), "invalid_option", checksum);
  }
  await assertDeniedLater(s.tell("/", { checksum: "md5" }), "invalid_option");
  const noDownload = { perm: { download: false } };
  await assertDeniedLater(s.tell("/a.txt", { checksum: "md5" }, noDownload), "forbidden");
});

Deno.test("checksums are those of the content", async () => {
  const content = crypto.getRandomValues(new Uint8Array(65_000));
  await using s = await setUp({ "a.bin": content });
  for (const checksum of ["md5", "sha1", "sha256", "sha512"]) {
    const { checksums } = await resourceOf(await s.tell("/a.bin", { checksum }));
    assert.deepEqual(checksums, { [checksum]: createHash(checksum).update(content).digest("hex") });
  }
});

Deno.test("checksums of large files are those of the content, each of its own", async () => {
  await using s = await setUp();
  const content = crypto.getRandomValues(new Uint8Array(65_536));
  const path = join(s.root, "a.bin");
  for (let part = 0; part < 50; part++) Deno.writeFileSync(path, content, { append: true });
  Deno.writeTextFileSync(path, "odd", { append: true });
  const sums = await Promise.all(["md5", "sha1", "sha256", "sha512"].map(async (checksum) => {
    const { checksums } = await resourceOf(await s.tell("/a.bin", { checksum }));
    const { stdout } = await new Deno.Command(`${checksum}sum`, { args: [path] }).output();
    return [Object.values(checksums ?? {})[0], new TextDecoder().decode(stdout).split(" ")[0]];
  }));
  for (const [ours, theirs] of sums) assert.equal(ours, theirs);
});

Deno.test("a checksum is made of content alone: no text comes with it", async () => {
  await using s = await setUp({ "a.txt": "text" });
  const told = await resourceOf(await s.tell("/a.txt", { checksum: "md5", content: true }));
  assert.deepEqual([told.type, "content" in told], ["text", false]);
});

Deno.test("a digest stops when the client goes", async () => {
  await using s = await setUp({ "a.bin": new Uint8Array(4_000_000) });
  const signal = AbortSignal.abort();
  await assert.rejects(s.tell("/a.bin", { checksum: "md5", signal }), { name: "AbortError" });
});

Deno.test("text comes with its content only for those who may download", async () => {
  await using s = await setUp({ "a.md": "\uFEFF# Ünïcode", unknown: "plain" });
  const told = await resourceOf(await s.tell("/a.md", { content: true }));
  assert.deepEqual([told.type, told.content], ["text", "# Ünïcode"]);
  assert.equal(told.encoding, "utf-8-bom");
  assert.equal((await resourceOf(await s.tell("/unknown", { content: true }))).content, "plain");
  const noDownload = await resourceOf(
    await s.tell("/a.md", { content: true }, { perm: { download: false } }),
  );
  assert.equal("content" in noDownload, false);
  assert.equal("content" in await resourceOf(await s.tell("/a.md")), false);
  const noModify = await resourceOf(
    await s.tell("/a.md", { content: true }, { perm: { modify: false } }),
  );
  assert.equal(noModify.type, "textImmutable");
});

Deno.test("what is binary is a blob whatever its name says", async () => {
  await using s = await setUp({
    "a.txt": Uint8Array.from([0x61, 0, 0x62]),
    "b.txt": Uint8Array.from([1, 0, 2, 0, 0xff, 0xfe, 3, 0]),
    "c.txt": crypto.getRandomValues(new Uint8Array(4_000)),
  });
  for (const name of ["a.txt", "b.txt", "c.txt"]) {
    const told = await resourceOf(await s.tell(`/${name}`, { content: true }));
    assert.deepEqual([told.type, "content" in told, "encoding" in told], ["blob", false, false]);
  }
});

Deno.test("text in other encodings comes with the name of it, and can be edited", async () => {
  await using s = await setUp({
    "latin.txt": Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x0d, 0x0a]),
    "wide.txt": Uint8Array.from([0xff, 0xfe, 0x68, 0, 0x69, 0]),
    "unknown": Uint8Array.from([0x63, 0x61, 0x66, 0xe9]),
  });
  const cases: [string, string, string, string][] = [
    ["latin.txt", "caf\u00e9\r\n", "windows-1252", "crlf"],
    ["wide.txt", "hi", "utf-16le-bom", "lf"],
    ["unknown", "caf\u00e9", "windows-1252", "lf"],
  ];
  for (const [name, ...expected] of cases) {
    const description = await s.tell(`/${name}`, { content: true });
    const { type, content, encoding, lineEnding } = await resourceOf(description);
    assert.deepEqual([content, encoding, lineEnding, type], [...expected, "text"]);
    assert.equal(description.etag, statContent(enter(s.root), at(`/${name}`)).etag);
    const noModify = await s.tell(`/${name}`, { content: true }, { perm: { modify: false } });
    assert.equal((await resourceOf(noModify)).type, "textImmutable");
  }
});

Deno.test("text that would not come back as it was can't be edited", async () => {
  await using s = await setUp({
    "broken.txt": Uint8Array.from([0xff, 0xfe, 0x68, 0, 0, 0xd8, 0x69, 0]),
    "half.txt": Uint8Array.from([0xef, 0xbb, 0xbf, 0x68, 0xc3]),
  });
  for (const name of ["broken.txt", "half.txt"]) {
    const { type, content } = await resourceOf(await s.tell(`/${name}`, { content: true }));
    assert.equal(type, "textImmutable");
    assert.match(content ?? "", /^h.*\ufffd/);
  }
});

Deno.test("a long text comes as bytes that say the same as a short one would", async () => {
  await using s = await setUp({
    "long.md": "l\u00f6ng\n".repeat(60_000),
    "short.md": "l\u00f6ng\n",
  });
  const description = await s.tell("/long.md", { content: true });
  assert.equal(description.kind, "json");
  const { content, size, modified, ...long } = await resourceOf(description);
  const short = await resourceOf(await s.tell("/short.md", { content: true }));
  assert.equal(content, short.content?.repeat(60_000));
  assert.equal(size, short.size * 60_000);
  assert.equal(modified, Deno.statSync(join(s.root, "long.md")).mtime?.toISOString());
  assert.deepEqual({ ...short, ...long, name: "short.md", path: "/short.md" }, short);
});

Deno.test("text over 10 MiB is a blob without content", async () => {
  await using s = await setUp();
  Deno.writeFileSync(join(s.root, "big.txt"), new Uint8Array(10 * 1024 * 1024 + 1).fill(97));
  const told = await resourceOf(await s.tell("/big.txt", { content: true }));
  assert.deepEqual([told.type, "content" in told], ["blob", false]);
});

Deno.test("a video comes with the subtitles beside it that the viewer may know of", async () => {
  const names = ["film.srt", "film.en.vtt", "film.txt", "filmed.srt", "other.srt", "film.2.ass"];
  await using s = await setUp({
    movies: Object.fromEntries(["film.mkv", ...names].map((name) => [name, ""])),
  });
  const rules = [deny("/movies/film.2.ass")];
  assert.deepEqual((await resourceOf(await s.tell("/movies/film.mkv", {}, { rules }))).subtitles, [
    "/movies/film.en.vtt",
    "/movies/film.srt",
  ]);
  const shared = await resourceOf(await s.tell("/", {}, { base: at("/movies/film.mkv") }));
  assert.deepEqual([shared.type, shared.subtitles, shared.name], ["video", [], "film.mkv"]);
});

Deno.test("a pipe is described without being opened", async () => {
  await using s = await setUp();
  await new Deno.Command("mkfifo", { args: [join(s.root, "pipe")] }).output();
  const told = await resourceOf(await s.tell("/pipe", { content: true }));
  assert.deepEqual([told.type, told.isDir, "content" in told], ["blob", false, false]);
  await assertDeniedLater(s.tell("/pipe", { checksum: "md5" }), "not_a_file");
  assertDenied(() => statContent(enter(s.root), at("/pipe")), "not_a_file");
});

Deno.test("a file is described by name, path, times, mode and tag", async () => {
  await using s = await setUp({ sub: { "A b.TXT": "hello" } });
  const path = join(s.root, "sub/A b.TXT");
  Deno.chmodSync(path, 0o640);
  Deno.utimeSync(path, 1_700_000_000, 1_700_000_000.25);
  const description = await s.tell("/sub/A b.TXT");
  assert(description.kind === "resource");
  assert.deepEqual(description.resource, {
    name: "A b.TXT",
    path: "/sub/A b.TXT",
    isDir: false,
    isSymlink: false,
    type: "text",
    size: 5,
    modified: "2023-11-14T22:13:20.250Z",
    extension: ".txt",
    mode: 0o640,
  });
  assert.equal(description.etag, statContent(enter(s.root), at("/sub/A b.TXT")).etag);
});

Deno.test("the tag changes with the content, the time and the inode", async () => {
  await using s = await setUp({ "a.txt": "one" });
  const path = join(s.root, "a.txt");
  const tags = [statContent(enter(s.root), at("/a.txt")).etag];
  Deno.writeTextFileSync(path, "three");
  tags.push(statContent(enter(s.root), at("/a.txt")).etag);
  Deno.utimeSync(path, 5, 5);
  tags.push(statContent(enter(s.root), at("/a.txt")).etag);
  Deno.copyFileSync(path, join(s.root, "copy"));
  Deno.utimeSync(join(s.root, "copy"), 5, 5);
  Deno.renameSync(join(s.root, "copy"), path);
  tags.push(statContent(enter(s.root), at("/a.txt")).etag);
  assert.equal(new Set(tags).size, 4, tags.join());
});

Deno.test("a folder lists what the viewer may know of, and counts the same", async () => {
  await using s = await setUp({ b: {}, a: {}, "10.txt": "", "9.txt": "x", secret: {}, ".dot": "" });
  Deno.symlinkSync("gone", join(s.root, "broken"));
  Deno.symlinkSync("a", join(s.root, "link"));
  Deno.symlinkSync("/etc", join(s.root, "escape"));
  const as = { rules: [deny("/secret")], hideDotfiles: true };
  const told = await resourceOf(await s.tell("/", {}, as));
  const rows = told.items?.map(({ name, type, isDir, isSymlink, path }) =>
    [name, type, isDir, isSymlink, path].join(" ")
  );
  assert.deepEqual(rows, [
    "a listing true false /a",
    "b listing true false /b",
    "link listing true true /link",
    "9.txt text false false /9.txt",
    "10.txt text false false /10.txt",
    "broken invalid_link false true /broken",
    "escape invalid_link false true /escape",
  ]);
  assert.equal(told.items?.at(-1)?.size, 0, "the length of a link's text tells of its target");
  assert.deepEqual([told.numDirs, told.numFiles, told.sorting], [3, 4, byName]);
});

Deno.test("a window of the entries leaves the counts whole, in every order", async () => {
  await using s = await setUp({ d: {}, "1": "xxx", "2": "x", "3": "xx" });
  const names = async (options: Partial<DescribeOptions>) => {
    const told = await resourceOf(await s.tell("/", options));
    assert.deepEqual([told.numDirs, told.numFiles], [1, 3]);
    return told.items?.map(({ name }) => name).join("");
  };
  assert.equal(await names({ offset: 1, limit: 2 }), "12");
  assert.equal(await names({ offset: 3 }), "3");
  assert.equal(await names({ limit: 0 }), "");
  assert.equal(await names({ offset: 9, limit: 9 }), "");
  assert.equal(await names({ limit: 3, sorting: { by: "size", asc: true } }), "d23");
  assert.equal(await names({ sorting: { by: "size", asc: false } }), "d132");
  assert.equal(await names({ sorting: { by: "name", asc: false } }), "d321");
});

Deno.test("a large folder comes as bytes that say the same as a small one would", async () => {
  await using s = await setUp({ large: { sub: {} } });
  plantMany(join(s.root, "large"), 1500);
  Deno.symlinkSync("sub", join(s.root, "large/link"));
  Deno.symlinkSync("/etc", join(s.root, "large/escape"));
  const description = await s.tell("/large", { offset: 1, limit: 3 });
  assert.equal(description.kind, "json");
  const told = await resourceOf(description);
  assert.deepEqual([told.numDirs, told.numFiles, told.path], [2, 1501, "/large"]);
  assert.deepEqual(told.items?.map(({ path }) => path), [
    "/large/sub",
    "/large/entry 00001.txt",
    "/large/entry 00002.txt",
  ]);
  const whole = await resourceOf(await s.tell("/large"));
  assert.equal(whole.items?.length, 1503);
  assert.deepEqual(whole.items?.slice(1, 4), told.items);
});

Deno.test("opening for a download needs the permission and gives the verified file", async () => {
  await using s = await setUp({ "a.jpg": "picture" });
  const denied = enter(s.root, { perm: { download: false } });
  await assertDeniedLater(openContent(denied, at("/a.jpg")), "forbidden");
  await assertDeniedLater(openContent(enter(s.root), at("/")), "is_folder");
  const { file, real, ...content } = await openContent(enter(s.root), at("/a.jpg"));
  assert.equal(real, `${s.root}/a.jpg`);
  assert.equal(await new Response(file.readable).text(), "picture");
  assert.deepEqual(content, statContent(enter(s.root), at("/a.jpg")));
  assert.deepEqual([content.size, content.type, content.mediaType], [7, "image", "image/jpeg"]);
});

Deno.test("makeFolder() makes parents, is content with what is there, and stops at a file", async () => {
  await using s = await setUp({ "a.txt": "a", sub: {} });
  const access = enter(s.root);
  const denied = enter(s.root, { perm: { create: false } });
  await assertDeniedLater(makeFolder(denied, at("/x")), "forbidden");
  for (const path of ["/a.txt", "/a.txt/b", "/a.txt/b/c"]) {
    await assertDeniedLater(makeFolder(access, at(path)), "exists", path);
  }
  for (const path of ["/x/y/z", "/x/y/z", "/sub", "/"]) await makeFolder(access, at(path));
  assert(Deno.lstatSync(join(s.root, "x/y/z")).isDirectory);
  assert.deepEqual([...Deno.readDirSync(s.root)].map(({ name }) => name).sort(), [
    "a.txt",
    "sub",
    "x",
  ]);
});

Deno.test("usage is that of the disk, and only inside of the scope", async () => {
  await using s = await setUp({ sub: {} });
  Deno.symlinkSync("/", join(s.root, "out"));
  await assertDeniedLater(diskUsage(enter(s.root), at("/out")), "forbidden");
  const { total, used } = await diskUsage(enter(s.root), at("/sub"));
  const { stdout } = await new Deno.Command("df", { args: ["-B1", "--output=size", s.root] })
    .output();
  assert.equal(total, Number(new TextDecoder().decode(stdout).split("\n")[1]));
  assert(used > 0 && used <= total);
});
