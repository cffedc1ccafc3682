// R50 to R52, about subtitles, are held by tests/routes/media/subtitle_test.ts.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import sharp from "sharp";
import { encoderOf } from "../../../lib/server/files/text/encode.ts";
import { rawExtensions } from "../../../lib/server/files/content/types.ts";
import type { MediaInfo } from "../../../lib/shared/schemas/media.ts";
import { joined } from "../../support/data/bytes.ts";
import { paper } from "../../support/data/media.ts";
import { box, rawOf } from "../../support/data/media_files.ts";
import { looksOf, quarters, turnedCorners } from "../../support/data/pictures.ts";
import { temporaryFolder, type Tree } from "../../support/disks/files.ts";
import { type Report, type ReportScene, reportTests } from "../../support/server/reports.ts";

const upright = "red green blue white";
const photo = await quarters(600, 400).jpeg({ quality: 95 }).toBuffer();
const progressive = await quarters(600, 400).jpeg({ quality: 95, progressive: true }).toBuffer();
const png = await quarters(300, 200).png().toBuffer();
const pixels = await quarters(900, 600).raw().toBuffer();
const noisy = await sharp(pixels.map((value, index) => value ^ index * 7919 >> 5 & 7), {
  raw: { width: 900, height: 600, channels: 3 },
}).png().toBuffer();

async function big({ call }: ReportScene, name: string) {
  const answer = await call("GET", "/api/preview/big", name);
  const bytes = await answer.bytes();
  assert.equal(answer.status, 200, `${name}: ${new TextDecoder().decode(bytes.subarray(0, 300))}`);
  return await looksOf(bytes);
}

async function facts({ call }: ReportScene, name: string): Promise<MediaInfo> {
  const answer = await call("GET", "/api/media", name);
  assert.equal(answer.status, 200, name);
  return await answer.json();
}

/** Asserts that pictures are shown with these corners, and how large they are. */
async function assertShown(
  scene: ReportScene,
  names: readonly string[],
  { corners = upright, size }: { corners?: string; size?: [number, number] } = {},
) {
  for (const name of names) {
    const looks = await big(scene, name);
    assert.equal(looks.corners, corners, name);
    if (size) assert.deepEqual([looks.width, looks.height], size, name);
  }
}

/** The beginning of a picture, and its upper corners, which must be seen. */
async function assertUpperHalf(scene: ReportScene, names: readonly string[]) {
  for (const name of names) {
    const { corners } = await big(scene, name);
    assert.equal(corners.split(" ").slice(0, 2).join(" "), "red green", name);
  }
}

const formats = {
  jpg: () => quarters(300, 200).jpeg({ quality: 95 }),
  png: () => quarters(300, 200).png(),
  webp: () => quarters(300, 200).webp({ quality: 95 }),
  tiff: () => quarters(300, 200).tiff(),
};

async function turned(): Promise<Tree> {
  const tree: Tree = {};
  for (const [format, make] of Object.entries(formats)) {
    for (const orientation of Object.keys(turnedCorners).map(Number)) {
      tree[`${orientation}.${format}`] = await make().withMetadata({ orientation }).toBuffer();
    }
  }
  return tree;
}

/** The boxes of an HEIC that tell its size: 4032 by 3024, with the turn that a phone writes. */
function heicOf(quarterTurns: number | null): Uint8Array {
  const full = [0, 0, 0, 0];
  const long = (value: number) => [0, 0, value >> 8, value & 255];
  const properties = [
    box("ispe", full, long(512), long(512)),
    box("ispe", full, long(4032), long(3024)),
  ];
  if (quarterTurns !== null) properties.push(box("irot", [quarterTurns]));
  const own = quarterTurns === null ? [1, 2] : [2, 2, 0x83];
  return joined(
    box("ftyp", joined("heic"), full, joined("mif1heic")),
    box(
      "meta",
      full,
      box("pitm", full, [0, 7]),
      box(
        "iprp",
        box("ipco", ...properties),
        box("ipma", full, [0, 0, 0, 2, 0, 1, 1, 1, 0, 7, ...own]),
      ),
    ),
  );
}

/** A JPEG whose EXIF data are broken. */
const withExif = (data: number[], length = data.length + 8) =>
  joined([0xff, 0xd8, 0xff, 0xe1, length >> 8, length & 255], "Exif\0\0", data, photo.subarray(2));

/** Sigma's format: sections, and a directory at the end. */
function sigmaOf(jpeg: Uint8Array): Uint8Array {
  const head = joined("FOVb", new Uint8Array(252));
  const section = joined("SECi", new Uint8Array(24), jpeg);
  const directory = Buffer.from(joined("SECd", new Uint8Array(4 + 4 + 12 + 4)));
  directory.writeUInt32LE(1, 8);
  directory.writeUInt32LE(head.length, 12);
  directory.writeUInt32LE(section.length, 16);
  directory.write("IMAG", 20);
  directory.writeUInt32LE(head.length + section.length, 24);
  return joined(head, section, directory);
}

const minolta = joined("\0MRM", new Uint8Array(300), photo);
minolta[304] = 0x02;
const raws: Tree = {
  "sigma.x3f": sigmaOf(photo),
  "canon.crw": joined("II\x1a\0\0\0HEAPCCDR", new Uint8Array(5000), photo),
  "canon.cr3": joined(box("ftyp", joined("crx "), [0, 0, 0, 1]), box("PRVW", photo)),
  "minolta.mrw": joined(minolta.subarray(0, 305), photo.subarray(1)),
  "casio.bay": joined("CRAW", new Uint8Array(700), photo, new Uint8Array(3000)),
};

/** A Photoshop file of one picture, not compressed. */
function psdOf(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const head = Buffer.alloc(26 + 12 + 2);
  head.write("8BPS\0\x01", "latin1");
  head.writeUInt16BE(3, 12);
  head.writeUInt32BE(height, 14);
  head.writeUInt32BE(width, 18);
  head.writeUInt16BE(8, 22);
  head.writeUInt16BE(3, 24);
  const planes = [0, 1, 2].map((part) => pixels.filter((_, index) => index % 3 === part));
  return joined(head, ...planes);
}

/** An icon of PNG files. */
function iconOf(pictures: readonly [side: number, png: Uint8Array][], type = 1): Uint8Array {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(type, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  pictures.forEach(([side, bytes], index) => {
    const place = 6 + index * 16;
    head.writeUInt8(side, place);
    head.writeUInt8(side, place + 1);
    head.writeUInt16LE(1, place + 4);
    head.writeUInt16LE(32, place + 6);
    head.writeUInt32LE(bytes.length, place + 8);
    head.writeUInt32LE(at, place + 12);
    at += bytes.length;
  });
  return joined(head, ...pictures.map(([, bytes]) => bytes));
}

/** Pictures that only a program reads. */
async function converted(): Promise<Tree> {
  const raw = new Uint8Array(await quarters(64, 48).raw().toBuffer());
  const square = (side: number) => quarters(side, side).png().toBuffer();
  const tree: Tree = {
    "a.psd": psdOf(64, 48, raw),
    "a.ico": iconOf([[16, await square(16)], [64, await square(64)]]),
    "a.cur": iconOf([[32, await square(32)]], 2),
    "really a png.ico": png,
    "really a photo.psd": psdOf(64, 48, raw),
    "a.ppm": joined("P6\n64 48\n255\n", raw),
    "named as a photo.jpg": psdOf(64, 48, raw),
  };
  await using made = await temporaryFolder();
  const at = (name: string) => join(made.path, name);
  await quarters(64, 48).png().toFile(at("in.png"));
  for (const name of ["a.tga", "a.jp2", "a.j2k", "a.jxl", "a.qoi"]) {
    const { success } = await new Deno.Command("ffmpeg", {
      args: ["-v", "error", "-y", "-i", at("in.png"), "-pix_fmt", "rgb24", at(name)],
      stdin: "null",
      stderr: "null",
    }).output();
    // Not every ffmpeg has all encoders.
    if (success) tree[name] = Deno.readFileSync(at(name));
  }
  return tree;
}

/** MP3 with ID3 tags that say to be Latin-1. */
function songOf(tags: Record<string, Uint8Array>): Uint8Array {
  const frames = Object.entries(tags).map(([id, text]) => {
    const head = Buffer.alloc(11);
    head.write(id);
    head.writeUInt32BE(text.length + 1, 4);
    return joined(head, text);
  });
  const body = joined(...frames);
  const size = [21, 14, 7, 0].map((shift) => body.length >> shift & 0x7f);
  const frame = joined([0xff, 0xfb, 0x90, 0x64], new Uint8Array(413));
  return joined("ID3\x03\0\0", size, body, frame, frame, frame);
}

const songs: Record<string, [encoding: string, title: string, artist: string, album: string]> = {
  "cyrillic.mp3": ["windows-1251", "Группа крови", "КИНО", "Группа крови на рукаве"],
  "capitals.mp3": ["windows-1251", "ПРИВЕТ МИР", "ДДТ", "ЧЁРНЫЙ ПЁС"],
  "chinese.mp3": ["gb18030", "月亮代表我的心", "邓丽君", "淡淡幽情"],
  "japanese.mp3": ["shift_jis", "さくら さくら", "日本の歌", "ソースと表紙"],
  "korean.mp3": ["euc-kr", "아리랑", "한국의 노래", "민요 모음"],
  "greek.mp3": ["windows-1253", "Τα παιδιά του Πειραιά", "Μελίνα Μερκούρη", "Ποτέ την Κυριακή"],
  "french.mp3": ["windows-1252", "Où t'es caché", "Les Élégants", "Été à Noël"],
  "german.mp3": ["windows-1252", "Über den Wölken", "Björk & Größe", "Ärzte"],
};

const large = (width: number, height: number, options = {}) =>
  sharp({
    create: { width, height, channels: 3, background: "rgb(230,20,20)" },
    limitInputPixels: false,
  })
    .jpeg({ quality: 50, ...options }).toBuffer();

const cmyk = await quarters(300, 200).toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();

const reports: Report[] = [
  {
    id: "R41+R42",
    source: "immich#3227, #10208, #31617",
    holds: "pictures are turned upright in all eight ways, and so are the sizes that are told",
    tree: await turned(),
    async check(scene) {
      for (const [orientation, corners] of Object.entries(turnedCorners)) {
        const size: [number, number] = Number(orientation) < 5 ? [300, 200] : [200, 300];
        for (const format of Object.keys(formats)) {
          const name = `${orientation}.${format}`;
          await assertShown(scene, [name], { corners, size });
          const { width, height } = await facts(scene, name);
          assert.deepEqual([width, height], size, name);
        }
      }
    },
  },
  {
    id: "R43",
    source: "immich#12405, #9041",
    holds: "the size of an HEIC is that of its main picture, turned by the container alone",
    tree: {
      "none.heic": heicOf(null),
      ...Object.fromEntries([0, 1, 2, 3].map((turns) => [`${turns}.heic`, heicOf(turns)])),
    },
    async check(scene) {
      for (
        const [name, size] of Object.entries({
          "0.heic": [4032, 3024],
          "1.heic": [3024, 4032],
          "2.heic": [4032, 3024],
          "3.heic": [3024, 4032],
        })
      ) {
        const { width, height } = await facts(scene, name);
        assert.deepEqual([width, height], size, name);
      }
    },
  },
  {
    id: "R44",
    source: "nextcloud/server#17209, filebrowser#2222",
    holds: "CMYK has its colours",
    tree: { "a.jpg": cmyk },
    check: async (scene) => assert.deepEqual((await big(scene, "a.jpg")).width, 300),
  },
  {
    id: "R45",
    source: "sharp#3624, #3424",
    holds: "a picture that breaks off is shown as far as it goes",
    tree: {
      "no end.jpg": photo.subarray(0, -2),
      "cut.jpg": photo.subarray(0, Math.floor(photo.length * 0.7)),
      "progressive.jpg": progressive.subarray(0, Math.floor(progressive.length * 0.9)),
      "no end.png": png.subarray(0, -12),
      "cut.png": noisy.subarray(0, Math.floor(noisy.length * 0.8)),
      "cut.gif": (await quarters(300, 200).gif().toBuffer()).subarray(0, -40),
      "nothing.jpg": photo.subarray(0, 100),
    },
    async check(scene) {
      await assertShown(scene, ["no end.jpg", "no end.png"]);
      await assertUpperHalf(scene, ["cut.jpg", "progressive.jpg", "cut.png", "cut.gif"]);
      assert.equal((await scene.call("GET", "/api/preview/thumb", "nothing.jpg")).status, 501);
    },
  },
  {
    id: "R45-exif",
    source: "met beside immich#31617",
    holds: "a JPEG with broken EXIF data still has its dimensions",
    tree: {
      "empty.jpg": withExif([]),
      "noise.jpg": withExif([1, 2, 3, 4, 5, 6, 7, 8, 9]),
      "far.jpg": withExif([0x49, 0x49, 42, 0, 0xff, 0xff, 0xff, 0x7f]),
      "endless.jpg": withExif([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0xff, 0xff, 1, 0x12]),
      "short.jpg": withExif([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0], 10),
    },
    async check(scene) {
      for (const { name } of Deno.readDirSync(scene.folder)) {
        const { width, height } = await facts(scene, name);
        assert.deepEqual([width, height], [600, 400], name);
      }
    },
  },
  {
    id: "R46",
    source: "opencloud#1280, sharp#1578, #3488",
    holds: "odd bytes of cameras in a JPEG are passed over",
    tree: {
      "tail.jpg": joined(photo.subarray(0, -2), new Uint8Array(64), photo.subarray(-2)),
      "after.jpg": joined(photo, new Uint8Array(5000)),
    },
    check: (scene) => assertShown(scene, ["tail.jpg", "after.jpg"]),
  },
  {
    id: "R47",
    source: "memories#763, immich#10181, nextcloud#31014",
    holds: "a JPEG of 200 megapixels is shown, and a larger one refused",
    tree: {
      "108.jpg": await large(12_000, 9_000),
      "200.jpg": await large(16_320, 12_240),
      "400.jpg": await large(20_000, 20_000),
    },
    async check(scene) {
      await assertShown(scene, ["108.jpg", "200.jpg"], {
        corners: "red red red red",
        size: [1080, 810],
      });
      assert.equal((await scene.call("GET", "/api/preview/thumb", "400.jpg")).status, 501);
      const { width, height } = await facts(scene, "200.jpg");
      assert.deepEqual([width, height], [16_320, 12_240]);
    },
  },
  {
    id: "R48",
    source: "RawTherapee#243, #772",
    holds: "RAW files of all cameras show their embedded picture, and are listed as pictures",
    tree: {
      ...Object.fromEntries([...rawExtensions].map((ending) => [`a${ending}`, rawOf(photo)])),
      "turned.NRW": rawOf(photo, 6),
      ...raws,
    },
    async check(scene) {
      const names = [...rawExtensions].map((ending) => `a${ending}`);
      assert.ok(names.length > 30);
      await assertShown(scene, [...names, ...Object.keys(raws)], { size: [600, 400] });
      await assertShown(scene, ["turned.NRW"], { corners: turnedCorners[6], size: [400, 600] });
      for (const name of names) assert.equal((await scene.resource(name)).type, "image", name);
      const { width, height } = await facts(scene, "turned.NRW");
      assert.deepEqual([width, height], [400, 600]);
    },
  },
  {
    id: "R49",
    source: "libjxl#3745, sharp#1670, #4184",
    holds: "JXL, JPEG 2000, PSD, TGA, icons and the like are shown where ffmpeg is installed",
    tree: await converted(),
    async check(scene) {
      const names = [...Deno.readDirSync(scene.folder)].map(({ name }) => name);
      assert.ok(names.length >= 10, names.join());
      await assertShown(scene, names.filter((name) => !name.endsWith(".cur")));
      const { width } = await big(scene, "a.ico");
      assert.equal(width, 64, "the largest one of an icon");
      assert.equal((await facts(scene, "a.psd")).width, 64);
    },
  },
  {
    id: "R53",
    source: "gtsteffaniak#925, MPD#1413, Clementine#2712",
    holds: "tags of music that are in the code page of a system are read in it",
    tree: Object.fromEntries(
      Object.entries(songs).map(([name, [encoding, title, artist, album]]) => {
        const bytes = encoderOf(encoding, "");
        return [name, songOf({ TIT2: bytes(title), TPE1: bytes(artist), TALB: bytes(album) })];
      }),
    ),
    async check(scene) {
      for (const [name, [, title, artist, album]] of Object.entries(songs)) {
        const told = await facts(scene, name);
        assert.deepEqual([told.title, told.artist, told.album], [title, artist, album], name);
      }
    },
  },
  {
    id: "R75",
    source: "pdf oddities",
    holds: "a PDF with something before or after it has a thumbnail, in any spelling of its name",
    tree: {
      "junk.pdf": joined("junk\n", paper("Hello")),
      "tail.PDF": joined(paper("Hello"), "\n\0\0\0"),
      "page": joined(paper("Hello")),
      "page.pdf": "<html>no PDF</html>",
    },
    async check(scene) {
      for (const name of ["junk.pdf", "tail.PDF", "page"]) {
        assert.ok((await big(scene, name)).width > 0, name);
      }
      assert.equal((await scene.call("GET", "/api/preview/thumb", "page.pdf")).status, 501);
    },
  },
];

await reportTests(reports, { disableMediaPrograms: false }, "R49/a.psd");
