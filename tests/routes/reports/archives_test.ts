import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ArchiveFolder } from "../../../lib/shared/schemas/archive.ts";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";
import { encoded, joined } from "../../support/data/bytes.ts";
import { type TarEntry, tarOf, type ZipEntry, zipOf } from "../../support/data/hostile_archives.ts";
import { rarOf, sevenZips } from "../../support/data/packed_archives.ts";
import { runArchiver } from "../../support/disks/archivers.ts";
import { filesBelow, plant, temporaryFolder, type Tree } from "../../support/disks/files.ts";
import { type Report, type ReportScene, reportTests } from "../../support/server/reports.ts";

/** A zip of files whose names are in an encoding that it does not tell. */
function oldZip(encoding: string, names: readonly string[]): Uint8Array {
  return zipOf(names.map((name) => {
    return { name: encoded(encoding, name), content: name, flags: 0 };
  }));
}

/** All files in an archive, by the calls that show it as a folder. */
async function filesIn(scene: ReportScene, name: string, inside = "/"): Promise<string[]> {
  const { items } = await listed(scene, name, inside);
  const found = items.map(({ kind, path }) =>
    kind === "folder" ? filesIn(scene, name, path) : [path.slice(1)]
  );
  return (await Promise.all(found)).flat();
}

async function listed({ call }: ReportScene, name: string, inside = "/"): Promise<ArchiveFolder> {
  const answer = await call("GET", "/api/archive", `${name}?inside=${encodeURIComponent(inside)}`);
  const text = await answer.text();
  assert.equal(answer.status, 200, `${name}: ${text}`);
  return JSON.parse(text);
}

async function entryOf({ call }: ReportScene, name: string, entry: string): Promise<Uint8Array> {
  const answer = await call("GET", "/api/archive", `${name}?entry=${encodeURIComponent(entry)}`);
  assert.equal(answer.status, 200, `${name} ${entry}`);
  return await answer.bytes();
}

/** Extracts an archive of the folder to a new folder, `out-NAME`. */
async function extract({ app, path, token }: ReportScene, name: string): Promise<JobInfo> {
  const entries = [{ path: `${path}/${name}`, destination: `${path}/out-${name}` }];
  const answer = await app.call("POST", "/api/jobs", {
    token,
    json: { action: "extract", entries },
    headers: { prefer: "respond-async, wait=60" },
  });
  return await answer.json();
}

/** Asserts that an archive lists these files, and that they come out of it. */
async function assertHolds(scene: ReportScene, name: string, files: readonly string[]) {
  assert.deepEqual((await filesIn(scene, name)).sort(), files.toSorted(), name);
  const { failures } = await extract(scene, name);
  assert.deepEqual(failures, [], name);
  const out = join(scene.folder, `out-${name}`);
  // What lies in the only folder of an archive comes directly into the new one.
  const top = /^[^/]+\//.exec(files[0] ?? "")?.[0] ?? "";
  const isAlone = top !== "" && files.every((file) => file.startsWith(top));
  const below = files.map((file) => isAlone ? file.slice(top.length) : file);
  assert.deepEqual(filesBelow(out), below.toSorted(), name);
}

/** Names in encodings of systems in which zips were made that do not tell theirs. */
const oldNames: Record<string, [encoding: string, ...names: string[]]> = {
  "japanese.zip": [
    "shift_jis",
    "表紙.txt",
    "予定表/一覧.txt",
    "ソース.txt",
    "新しいフォルダ/写真.jpg",
  ],
  "cover.zip": ["shift_jis", "表紙.txt"],
  "schedule.zip": ["shift_jis", "予定表/ソース能力.txt"],
  "source.zip": ["shift_jis", "ソ十貼能表暴.txt"],
  "meeting.zip": ["shift_jis", "会議資料.docx", "請求書.pdf"],
  "chinese.zip": ["gb18030", "测试文件夹/说明文档.txt", "中文文件名.txt"],
  "holiday.zip": ["gb18030", "春节晚会.mp4"],
  "invoice.zip": ["gb18030", "发票.pdf", "联通.txt", "电话.txt"],
  "new folder.zip": ["gb18030", "新建文件夹/照片.jpg"],
  "taiwan.zip": ["big5", "新增資料夾/說明.txt", "許功蓋.txt", "會議記錄.docx"],
  "function.zip": ["big5", "功能.txt", "許功蓋.txt"],
  "korean.zip": ["euc-kr", "새 폴더/문서.txt", "회의록.docx"],
  "photo.zip": ["euc-kr", "사진.jpg"],
  "russian.zip": ["ibm866", "Документы/Договор аренды.txt", "Фотография.jpg"],
  "report.zip": ["ibm866", "Отчёт за год.doc", "ПРАЙС.XLS"],
  "russian ansi.zip": ["windows-1251", "Документы/Договор.txt", "привет.txt"],
  "ukrainian.zip": ["windows-1251", "Звіт за рік.txt", "Привіт, світе.txt"],
  "french.zip": ["cp850", "À faire/Été.txt", "français.txt"],
  "portuguese.zip": ["cp850", "São Paulo.txt", "ação.txt", "coração.txt"],
  "german.zip": ["cp850", "Über uns/Öffnungszeiten.txt", "Grüße.txt"],
  "danish.zip": ["cp850", "Ærø.txt", "Åse Ø.txt"],
  "ansi.zip": ["windows-1252", "résumé.txt", "Été à la mer.txt"],
  "american.zip": ["cp437", "naïve.txt", "Straße.txt"],
  "greek.zip": ["cp737", "Φάκελος/Έγγραφο.txt", "Φωτογραφία.jpg"],
  "greek ansi.zip": ["windows-1253", "Φάκελος/Έγγραφο.txt", "Φωτογραφία.jpg"],
  "turkish.zip": ["cp857", "Yeni Klasör/Şifre.txt", "Çalışma.doc", "İstanbul.jpg"],
  "turkish ansi.zip": ["windows-1254", "Yeni Klasör/Şifre.txt", "Çalışma.doc", "ığdır.jpg"],
  "hebrew.zip": ["cp862", "תיקייה חדשה/מסמך.txt", "תמונה.jpg"],
  "hebrew ansi.zip": ["windows-1255", "תיקייה חדשה/מסמך.txt", "תמונה.jpg"],
  "arabic.zip": ["cp720", "مجلد جديد/مستند.txt", "صورة.jpg"],
  "arabic ansi.zip": ["windows-1256", "مجلد جديد/مستند.txt", "صورة.jpg"],
  "thai.zip": ["windows-874", "โฟลเดอร์ใหม่/เอกสาร.txt", "รูปภาพ.jpg"],
  "lithuanian.zip": ["cp775", "Ąžuolas/Šaltinis.txt", "Įrašas.doc"],
  "unix.zip": ["euc-jp", "新しいフォルダ/写真.jpg", "会議資料.txt"],
  "russian unix.zip": ["koi8-r", "Документы/Договор аренды.txt", "Фотография.jpg"],
  "hungarian.zip": ["cp852", "Új mappa/Árvíztűrő tükörfúrógép.txt", "Számla.pdf"],
  "czech ansi.zip": ["windows-1250", "Nová složka/Příloha č. 1.txt", "Žluťoučký kůň.doc"],
  "polish.zip": ["cp852", "Zażółć gęślą jaźń.txt", "Zdjęcia.jpg"],
};

/** Zips whose flags and names contradict each other. */
const oddNames: Tree = {
  "flagged.zip": zipOf(["表紙.txt", "予定表.doc"].map((name) => {
    return { name: encoded("shift_jis", name), content: name, flags: 0x800 };
  })),
  "mixed.zip": zipOf([
    { name: encoded("utf-8", "Документы.txt"), flags: 0 },
    { name: encoded("ibm866", "Фото.jpg"), flags: 0 },
    { name: encoded("ibm866", "Договор аренды.doc"), flags: 0 },
  ]),
  // As `zip` makes it of what it reads from a pipe.
  "pipe.zip": zipOf([{ name: "-", content: "piped", mode: 0o10600 }]),
};

const plain = zipOf([
  { name: "a.txt", content: "a" },
  { name: "deep/b.txt", content: "b".repeat(3000), method: 8 },
]);

/** Zips with something before or after. */
const extended: Tree = {
  "newline.zip": joined(plain, "\n"),
  "padded.zip": joined(plain, new Uint8Array(512)),
  "page.zip": joined(plain, "<html><body>Download complete</body></html>".repeat(50)),
  "signed.zip": joined(plain, new Uint8Array(200_000).fill(0x30)),
  "marks.zip": joined(plain, "PK\x05\x06".repeat(20), new Uint8Array(40).fill(0xff)),
  "script.zip": joined('#!/bin/sh\nexec unzip -q "$0"\n', plain),
  "program.zip": joined("MZ", new Uint8Array(70_000).fill(0x90), plain),
  "both.zip": joined("MZ", new Uint8Array(600), plain, "signature", new Uint8Array(100)),
  "spanned.zip": joined("PK\x07\x08", plain),
  "unnamed": joined("MZ", new Uint8Array(600), plain),
};

/** A 64 bit zip behind a program: all its offsets are too small. */
function longZip(): Uint8Array {
  const at = plain.lastIndexOf("PK\x05\x06");
  const record = new DataView(new ArrayBuffer(56 + 20));
  const [size, start] = [plain.readUInt32LE(at + 12), plain.readUInt32LE(at + 16)];
  record.setUint32(0, 0x06064b50, true);
  record.setBigUint64(4, 44n, true);
  record.setBigUint64(24, 2n, true);
  record.setBigUint64(32, 2n, true);
  record.setBigUint64(40, BigInt(size), true);
  record.setBigUint64(48, BigInt(start), true);
  record.setUint32(56, 0x07064b50, true);
  record.setBigUint64(64, BigInt(at), true);
  record.setUint32(72, 1, true);
  const end = plain.subarray(at).slice();
  end.fill(0xff, 8, 20);
  return joined(
    "MZ",
    new Uint8Array(5000),
    plain.subarray(0, at),
    new Uint8Array(record.buffer),
    end,
  );
}
extended["long.zip"] = longZip();

const bare = (names: readonly string[]) => names.map((name) => ({ name, content: name }));
const colons = ["Q: who.txt", "a:b.txt", "A:/not first", "12:30 lunch.txt", "deep/C: x", "n:"];

const appended: TarEntry[] = [
  { name: "a.txt", content: "first" },
  { name: "deep/", type: "5" },
  { name: "deep/b.txt", content: "b1" },
  { name: "a.txt", content: "second, and longer" },
  { name: "./deep//b.txt", content: "b2" },
  { name: "a.txt", content: "last" },
];

/** Files with holes, as tar packs them. */
const holes: Record<string, [at: number, text: string][]> = {
  middle: [[0, "start"], [3_000_000, "end"]],
  begin: [[5_000_000, "end"]],
  many: Array.from({ length: 60 }, (_, index) => [index * 65_536, `piece ${index}`]),
};
const sparseSize = 6_000_000;

function sparseContent(pieces: readonly [number, string][]): Buffer {
  const bytes = Buffer.alloc(sparseSize);
  for (const [at, text] of pieces) bytes.write(text, at);
  return bytes;
}

/** Tars of sparse files, by GNU tar, in all its formats. */
async function sparseTars(): Promise<Tree> {
  await using made = await temporaryFolder();
  const at = (name: string) => join(made.path, name);
  for (const [name, pieces] of Object.entries(holes)) {
    using file = Deno.openSync(at(name), { create: true, write: true });
    for (const [position, text] of pieces) {
      file.seekSync(position, Deno.SeekMode.Start);
      file.writeSync(new TextEncoder().encode(text));
    }
    file.truncateSync(sparseSize);
  }
  await plant(made.path, { "after.txt": "after" });
  const formats: Record<string, string[]> = {
    "old.tar": ["--format=gnu"],
    "pax00.tar": ["--format=posix", "--sparse-version=0.0"],
    "pax01.tar": ["--format=posix", "--sparse-version=0.1"],
    "pax10.tar": ["--format=posix", "--sparse-version=1.0"],
  };
  const tree: Tree = {};
  for (const [name, options] of Object.entries(formats)) {
    const names = [...Object.keys(holes), "after.txt"];
    await runArchiver("tar", ["-S", ...options, "-cf", name, ...names], { cwd: made.path });
    const bytes = Deno.readFileSync(at(name));
    tree[name] = bytes;
    tree[`${name}.gz`] = gzipSync(bytes);
  }
  return tree;
}

const system: TarEntry[] = [
  { name: "rootfs", type: "V" },
  { name: "dev/null", type: "3" },
  { name: "dev/sda", type: "4" },
  { name: "run/pipe", type: "6" },
  { name: "strange", type: "Q", content: "of another program" },
  { name: "/etc/passwd", content: "root" },
  { name: "etc/hosts", content: "127.0.0.1" },
  { name: "etc/bin", type: "2", link: "usr/bin" },
];
const systemZip: ZipEntry[] = [
  { name: "etc/hosts", content: "127.0.0.1" },
  { name: "dev/null", mode: 0o20666 },
  { name: "C:\\Windows\\x.ini", content: "x" },
];

/** Texts of an archive, and the types that they are sent as. */
const texts = ([
  ["russian.txt", "text/plain; charset=windows-1251", [
    "windows-1251",
    "Это простой русский текст.",
  ]],
  ["dos.nfo", "text/plain; charset=cp437", ["cp437", "Für die Prüfung müssen wir Flächen räumen."]],
  ["chinese.csv", "text/csv; charset=gb18030", ["gb18030", "这是一段普通的中文文字，用来检查"]],
  ["wide.log", "text/plain; charset=utf-16le", ["utf-16le", "\ufeffplain words in it"]],
  ["usual.md", "text/markdown; charset=utf-8", ["utf-8", "# naïve"]],
  ["packed.log", "application/octet-stream", ["utf-8", "PK\x03\x04\x14\0\0\0\b\0"]],
] as const).map(([name, mediaType, [encoding, words]]) => {
  return { name, mediaType, content: encoded(encoding, words) };
});

const isLinux = Deno.build.os === "linux";

const reports: Report[] = [
  {
    id: "R27",
    source: "filebrowser#1387",
    holds: "a broken link, a link that leads out or a pipe ends no archive",
    tree: { docs: { "a.txt": "a" } },
    async check({ folder, call }) {
      Deno.symlinkSync("none", join(folder, "docs/broken"));
      Deno.symlinkSync("/etc", join(folder, "docs/out"));
      const zip = await (await call("GET", "/api/raw", "docs/?algo=zip")).bytes();
      Deno.writeFileSync(join(folder, "made.zip"), zip);
      assert.equal(zip.subarray(0, 2).toHex(), "504b");
    },
  },
  {
    id: "R29",
    source: "yauzl#69, minizip-ng#431",
    holds: "a zip of more than 4 GiB tells its exact length at once",
    tree: { large: {} },
    async check({ folder, call }) {
      const size = 5 * 2 ** 30;
      Deno.writeFileSync(join(folder, "large/sparse.bin"), new Uint8Array(1));
      Deno.truncateSync(join(folder, "large/sparse.bin"), size);
      const head = await call("HEAD", "/api/raw", "large/?algo=zip");
      const length = Number(head.headers.get("content-length"));
      assert.ok(length > size && length < size + 1000, String(length));
    },
  },
  {
    id: "R30",
    source: "filebrowser#3394, #5255",
    holds: "an archive of a folder has the folder's name",
    tree: { "été 日本": { "a.txt": "a" } },
    async check({ call }) {
      for (const [algo, ending] of [["zip", "zip"], ["tar.gz", "tar.gz"]]) {
        const answer = await call(
          "HEAD",
          "/api/raw",
          `${encodeURIComponent("été 日本")}/?algo=${algo}`,
        );
        const value = answer.headers.get("content-disposition") ?? "";
        assert.ok(value.endsWith(`''${encodeURIComponent("été 日本")}.${ending}`), value);
      }
    },
  },
  {
    id: "R31",
    source: "owncloud/core#24900",
    holds: "names in zips that are made here come out of them again",
    tree: { docs: { "é 日本 😀.txt": "a", "Ünï": { "ж.txt": "b" } } },
    async check(scene) {
      const zip = await (await scene.call("GET", "/api/raw", "docs/?algo=zip")).bytes();
      Deno.writeFileSync(join(scene.folder, "made.zip"), zip);
      await assertHolds(scene, "made.zip", ["é 日本 😀.txt", "Ünï/ж.txt"]);
    },
  },
  {
    id: "R33",
    source: "libarchive#2798, libzip#212, files-community#14937, xarchiver#224, kuba--/zip#233",
    holds: "names of old zips are read in the encoding of the system that wrote them",
    tree: Object.fromEntries(
      Object.entries(oldNames).map(([zip, [encoding, ...names]]) => [zip, oldZip(encoding, names)]),
    ),
    async check(scene) {
      for (const [zip, [, ...names]] of Object.entries(oldNames)) {
        await assertHolds(scene, encodeURIComponent(zip).replaceAll("%20", " "), names);
        const [first = ""] = names;
        const content = await entryOf(scene, zip, `/${first}`);
        assert.equal(new TextDecoder().decode(content), first, zip);
      }
    },
  },
  {
    id: "R33-odd",
    source: "further inputs beside R33",
    holds:
      "names of a zip are read right where its flags are wrong, and a pipe's content is a file",
    tree: oddNames,
    async check(scene) {
      await assertHolds(scene, "flagged.zip", ["表紙.txt", "予定表.doc"]);
      await assertHolds(scene, "mixed.zip", ["Документы.txt", "Фото.jpg", "Договор аренды.doc"]);
      await assertHolds(scene, "pipe.zip", ["-"]);
    },
  },
  {
    id: "R34+R35",
    source: "yauzl#45, #48, #30, miniz#43",
    holds: "a zip opens with bytes before or after it",
    tree: extended,
    async check(scene) {
      for (const name of Object.keys(extended)) {
        await assertHolds(scene, name, ["a.txt", "deep/b.txt"]);
        assert.equal((await entryOf(scene, name, "/deep/b.txt")).length, 3000, name);
      }
    },
  },
  {
    id: "R36",
    source: "better-files#262, nemo-extensions#442",
    holds: "backslashes in a zip separate names, unless they are half a character",
    tree: { "a.zip": zipOf(bare(["foo\\baz\\qux.bin", "foo\\bar.txt"])) },
    check: (scene) => assertHolds(scene, "a.zip", ["foo/baz/qux.bin", "foo/bar.txt"]),
  },
  {
    id: "R37",
    source: "syft#1445, rules_pkg#849, node-tar#149",
    holds: "of an archive that was appended to, the last entry of a name counts",
    tree: {
      "appended.tar": tarOf(appended),
      "appended.tar.gz": gzipSync(tarOf(appended)),
      "appended.zip": zipOf(appended.filter(({ type }) => !type)),
    },
    async check(scene) {
      for (const name of ["appended.tar", "appended.tar.gz", "appended.zip"]) {
        await assertHolds(scene, name, ["a.txt", "deep/b.txt"]);
        for (const [file, content] of [["a.txt", "last"], ["deep/b.txt", "b2"]] as const) {
          const out = join(scene.folder, `out-${name}`, file);
          assert.equal(Deno.readTextFileSync(out), content, name);
          assert.equal(new TextDecoder().decode(await entryOf(scene, name, `/${file}`)), content);
        }
      }
    },
  },
  {
    id: "R38",
    source: "zip-archive#59, zt-zip#117",
    holds: "a colon in a name is no drive",
    tree: {
      "a.zip": zipOf(bare(colons.filter((name) => !name.startsWith("A:")))),
      "a.tar": tarOf(bare(colons.filter((name) => !name.startsWith("A:")))),
      "drive.zip": zipOf(bare(["A:/not first", "a.txt"])),
    },
    async check(scene) {
      const names = colons.filter((name) => !name.startsWith("A:"));
      for (const archive of ["a.zip", "a.tar"]) await assertHolds(scene, archive, names);
      assert.equal((await listed(scene, "drive.zip")).refused.count, 1);
    },
  },
  {
    id: "R39",
    source: "adm-zip#342, #416",
    holds: "a program can be run after it was extracted",
    tree: {
      "a.tar": tarOf([{ name: "run.sh", content: "#!" }, { name: "b" }]),
      "a.zip": zipOf([{ name: "run.sh", mode: 0o100755 }, { name: "b", mode: 0o100644 }]),
      "a.7z": sevenZips.modes,
    },
    async check(scene) {
      for (const name of ["a.tar", "a.zip", "a.7z"]) {
        await extract(scene, name);
        const { mode } = Deno.statSync(join(scene.folder, `out-${name}`, "run.sh"));
        assert.ok(((mode ?? 0) & 0o100) !== 0, name);
      }
    },
  },
  {
    id: "R40",
    source: "nim-lang/Nim#24174",
    holds: "archives of whole systems are extracted but for devices and absolute paths",
    tree: {
      "rootfs.tar": tarOf(system),
      "rootfs.zip": zipOf(systemZip),
    },
    async check(scene) {
      const out = (name: string) => filesBelow(join(scene.folder, `out-${name}`));
      const told = async (name: string) => {
        const { state, arrived, failures: [failure] } = await extract(scene, name);
        assert.deepEqual([state, arrived], ["done", [`out-${name}`]]);
        return failure?.leftOut?.first;
      };
      assert.deepEqual(await told("rootfs.tar"), [
        ...["dev/null", "dev/sda", "run/pipe", "strange", "/etc/passwd"],
      ]);
      assert.deepEqual(out("rootfs.tar"), ["hosts"]);
      const { refused } = await listed(scene, "rootfs.tar");
      assert.deepEqual(refused.entries.map(({ path }) => path), ["/etc/passwd"]);
      assert.deepEqual(await told("rootfs.zip"), ["dev/null", "C:/Windows/x.ini"]);
    },
  },
  {
    id: "R40-sparse",
    source: "tar -S",
    holds: "sparse files in a tar have their holes again, in every format of GNU tar",
    tree: isLinux ? await sparseTars() : {},
    async check(scene) {
      for (const { name } of [...Deno.readDirSync(scene.folder)]) {
        await assertHolds(scene, name, ["after.txt", ...Object.keys(holes)]);
        for (const [file, pieces] of Object.entries(holes)) {
          const expected = sparseContent(pieces);
          const out = join(scene.folder, `out-${name}`, file);
          for (const bytes of [Deno.readFileSync(out), await entryOf(scene, name, `/${file}`)]) {
            const at = expected.findIndex((byte, index) => byte !== bytes[index]);
            assert.equal(at, -1, `${name} ${file} at ${at}`);
          }
          assert.ok((Deno.statSync(out).blocks ?? 0) * 512 < sparseSize / 2, `${name} ${file}`);
        }
      }
    },
  },
  {
    id: "R70-archives",
    source: "further inputs beside R69 and R73",
    holds: "a text in an archive has its encoding, and what is none in spite of its name is bytes",
    tree: { "texts.zip": zipOf(texts), "texts.tar.gz": gzipSync(tarOf(texts)) },
    async check({ call }) {
      for (const archive of ["texts.zip", "texts.tar.gz"]) {
        for (const { name, mediaType, content } of texts) {
          const answer = await call("GET", "/api/archive", `${archive}?entry=/${name}`);
          assert.equal(answer.headers.get("content-type"), mediaType, `${archive} ${name}`);
          assert.deepEqual(await answer.bytes(), new Uint8Array(content), name);
        }
      }
    },
  },
  {
    id: "7z and RAR",
    source: "not tried in the reports",
    holds: "names in 7z and RAR are read right",
    tree: {
      "a.7z": sevenZips.plain,
      "a.rar": rarOf({ "deep/one.txt": "one", "Q: who.txt": "q" }),
    },
    async check(scene) {
      await assertHolds(scene, "a.7z", ["one.txt", "photos/deep/ä 日本.txt", "photos/sea.txt"]);
      await assertHolds(scene, "a.rar", ["deep/one.txt", "Q: who.txt"]);
    },
  },
];

await reportTests(reports);
