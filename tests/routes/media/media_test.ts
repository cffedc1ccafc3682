import assert from "node:assert/strict";
import { join } from "node:path";
import sharp from "sharp";
import { thumbHashToApproximateAspectRatio, thumbHashToRGBA } from "thumbhash";
import { startApp } from "../../support/server/app.ts";
import { box, makeMedia, rawOf } from "../../support/data/media_files.ts";
import { paper } from "../../support/data/media.ts";
import { looksOf, quarters } from "../../support/data/pictures.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const odd = "#%?日本 `.mp4";
const made = await makeMedia();
const jpeg = await quarters(600, 400).jpeg({ quality: 95 }).withExif({
  IFD0: { Make: "Canon", Model: "Canon EOS R5" },
  IFD2: {
    ...{ DateTimeOriginal: "2024:05:06 07:08:09", ExposureTime: "1/250", FNumber: "28/10" },
    ...{ ISOSpeedRatings: "400", FocalLength: "50/1", LensModel: "RF50mm F1.2" },
  },
  IFD3: {
    ...{ GPSLatitudeRef: "S", GPSLatitude: "51/1 30/1 0/1" },
    ...{ GPSLongitudeRef: "W", GPSLongitude: "0/1 15/1 0/1" },
  },
}).toBuffer();
const plain = await quarters(600, 400).jpeg({ quality: 95 }).toBuffer();
const red = await quarters(300, 300).extract({ left: 0, top: 0, width: 150, height: 150 })
  .jpeg().toBuffer();
const letters = (text: string) => new TextEncoder().encode(text);
const fuji = new Uint8Array([...letters("FUJIFILMCCD-RAW "), ...new Uint8Array(84), ...plain]);
new DataView(fuji.buffer).setUint32(84, 100);
new DataView(fuji.buffer).setUint32(88, plain.length);

const page = await quarters(60, 40).png().toBuffer();
const scan = await sharp([page, page, page], { join: { animated: true } }).tiff().toBuffer();
const single = await quarters(60, 40).tiff().toBuffer();

/** The directory of an HEIC with two pictures of tiles, a smaller copy and a hidden tile. */
const item = (id: number, type: string, hidden = 0) =>
  box("infe", [2, 0, 0, hidden, 0, id, 0, 0], letters(type), [0]);
const refer = (type: string, from: number, ...to: number[]) =>
  box(type, [0, from, 0, to.length], to.flatMap((id) => [0, id]));
const burst = new Uint8Array([
  ...box("ftyp", letters("heic"), [0, 0, 0, 0], letters("mif1heic")),
  ...box(
    "meta",
    [0, 0, 0, 0],
    box("pitm", [0, 0, 0, 0, 0, 1]),
    box(
      "iinf",
      [0, 0, 0, 0, 0, 7],
      item(1, "grid"),
      item(2, "hvc1"),
      item(3, "hvc1", 1),
      item(4, "hvc1"),
      item(5, "hvc1"),
      item(6, "hvc1"),
      item(7, "Exif"),
    ),
    box("iref", [0, 0, 0, 0], refer("dimg", 1, 2, 3), refer("thmb", 4, 1), refer("auxl", 6, 5)),
  ),
]);

const app = await startApp({
  config: { disableMediaPrograms: false },
  tree: {
    "film.mp4": made.film,
    [odd]: made.film,
    "long.mkv": made.long,
    "film without a name": made.film,
    "half.mp4": made.film.subarray(0, 900),
    "song.mp3": made.song,
    "tune.ogg": made.tune,
    "noise.mp3": "no music at all",
    "phone.heic": made.heic,
    "half.heic": made.heic.subarray(0, made.heic.length >> 1),
    "photo.jpg": jpeg,
    "scan.tif": new Uint8Array(scan),
    "one.tif": new Uint8Array(single),
    "burst.heic": burst,
    "shot.cr2": rawOf(plain),
    "lying.nef": rawOf(plain, 6),
    "shot.cr3": new Uint8Array([
      ...box("ftyp", letters("crx "), [0, 0, 0, 1]),
      ...box("CMT1", rawOf(new Uint8Array(), 3)),
      ...box("PRVW", plain),
    ]),
    "shot.raf": fuji,
    "bare.orf": "IIRO and nothing that is a picture",
    "paper.pdf": paper("Hello"),
    "high.pdf": paper("Hello", {
      height: 800,
      drawn: "0.9 0.08 0.08 rg 0 650 150 150 re f 0.08 0.7 0.08 rg 150 650 150 150 re f",
    }),
    "wide.pdf": paper("", {
      height: 180,
      drawn: "0.9 0.08 0.08 rg 0 0 90 180 re f 0.08 0.7 0.08 rg 210 0 90 180 re f",
    }),
    "half.pdf": paper("Hello").slice(0, 60),
    "notes.txt": "a text",
    album: { "1.jpg": jpeg, "2.png": await quarters(300, 300).png().toBuffer(), "a.txt": "" },
    reds: Object.fromEntries([1, 2, 3, 4, 5].map((number) => [`${number}.jpg`, red])),
    mixed: { "0.jpg": "broken", ".secret.jpg": red, "deny.jpg": red, "only.jpg": jpeg },
    bare: { "a.txt": "" },
    out: {},
  },
});
Deno.test.afterAll(app.close);
await Deno.symlink("/etc", join(app.root, "out", "away"));
const token = await app.tokenOf("admin");
const call = (path: string, as = token) => app.call("GET", `/api${path}`, { token: as });
const thumb = (name: string, as = token) =>
  call(`/preview/thumb/${name.split("/").map(encodeURIComponent).join("/")}`, as);
const facts = async (name: string) =>
  await (await call(`/media/${encodeURIComponent(name)}`)).json();
const hashes = (paths: unknown, as = token) =>
  app.call("POST", "/api/thumbhashes", { token: as, json: { paths } });
// Starts the host of the programs before the tests, which must not leave a process behind.
await (await thumb("film.mp4")).bytes();

Deno.test("previews and facts refuse those who may not download, and what rules or links hide", async () => {
  const { token: weak } = await app.addUser("weak", { perm: { download: false } });
  const { token: ruled } = await app.addUser("ruled", {
    rules: [{ allow: false, regex: false, path: "/film.mp4", regexp: { raw: "" } }],
    hideDotfiles: true,
  });
  for (const name of ["film.mp4", "paper.pdf", "song.mp3", "shot.cr2", "album"]) {
    await assertRefused(await thumb(name, weak), 403, "forbidden", name);
  }
  await assertRefused(await call("/media/film.mp4", weak), 403, "forbidden");
  await assertRefused(await call("/media/film.mp4", ruled), 403, "forbidden");
  await assertRefused(await thumb("film.mp4", ruled), 403, "forbidden");
  await assertRefused(await call("/media/out/away/passwd.mp4"), 403, "forbidden");
  await assertRefused(await call("/media/none.mp4"), 404, "not_found");
  await assertRefused(await call("/media/film.mp4", ""), 401, "not_signed_in");
  await assertRefused(await call("/media/album"), 409, "is_folder");
  await assertRefused(await call("/media/notes.txt"), 501, "not_supported");
});

Deno.test("broken, cut and empty files of every kind have no preview, and stay so", async () => {
  const names = ["half.mp4", "half.heic", "half.pdf", "noise.mp3", "tune.ogg", "bare.orf", "bare"];
  for (const name of [...names, ...names]) {
    const message = await assertRefused(await thumb(name), 501, "not_supported", name);
    assert.ok(message.startsWith("Cannot make a preview of"), message);
  }
  for (const name of names.filter((name) => name !== "bare" && name !== "tune.ogg")) {
    assert.deepEqual((await facts(name)).duration, undefined, name);
  }
});

for (const name of ["film.mp4", odd, "long.mkv", "film without a name"]) {
  Deno.test(`a video has a poster: ${name}`, async () => {
    const answer = await thumb(name);
    const looks = await looksOf(await answer.bytes());
    assert.deepEqual(looks, {
      ...{ format: "jpeg", width: 256, height: 256 },
      corners: "red green blue white",
    });
    assert.match(answer.headers.get("content-disposition") ?? "", /\.jpeg"/);
    const big = await looksOf(await (await call(`/preview/big/film.mp4`)).bytes());
    assert.deepEqual([big.width, big.height], [320, 180]);
  });
}

Deno.test("a page, a cover, RAW files and HEIC have previews, the right way up", async () => {
  const page = await looksOf(await (await call("/preview/big/paper.pdf")).bytes());
  assert.deepEqual([page.width, page.height, page.corners], [
    ...[1080, 721],
    "white white white white",
  ]);
  const corners = async (name: string) =>
    (await looksOf(await (await thumb(name)).bytes())).corners;
  assert.equal(await corners("high.pdf"), "red green white white", "the top of the page");
  assert.equal(await corners("wide.pdf"), "red green red green", "all of a wide page");
  assert.equal(await corners("song.mp3"), "red green blue white");
  assert.equal(await corners("phone.heic"), "red green blue white");
  assert.equal(await corners("shot.cr2"), "red green blue white");
  assert.equal(await corners("shot.raf"), "red green blue white");
  assert.equal(await corners("lying.nef"), "blue red white green");
  assert.equal(await corners("shot.cr3"), "white blue green red");
});

Deno.test("a folder has a cover of its first pictures that the viewer may see", async () => {
  const { token: ruled } = await app.addUser("ruled2", {
    rules: [{ allow: false, regex: false, path: "/mixed/deny.jpg", regexp: { raw: "" } }],
    hideDotfiles: true,
  });
  const own = await thumb("mixed", ruled);
  assert.equal((await looksOf(await own.bytes())).corners, "red green blue white");
  const all = await looksOf(await (await thumb("reds")).bytes());
  assert.equal(all.corners, "red red red red");
  const others = await thumb("mixed");
  assert.notEqual(others.headers.get("etag"), own.headers.get("etag"));
  assert.notEqual((await looksOf(await others.bytes())).corners, "red green blue white");
  const etag = own.headers.get("etag") ?? "";
  const again = await app.call("GET", "/api/preview/thumb/mixed", {
    token: ruled,
    headers: { "if-none-match": etag },
  });
  await assertStatus(again, 304);
  await assertRefused(await call("/preview/big/album"), 501, "not_supported");
});

Deno.test("files tell their dimensions, times, tags and places", async () => {
  assert.deepEqual(await facts("film.mp4"), {
    ...{ width: 320, height: 180, duration: 2, title: "A film", codec: "h264" },
  });
  assert.deepEqual(await facts("photo.jpg"), {
    ...{ width: 600, height: 400, taken: "2024-05-06T07:08:09", camera: "Canon EOS R5" },
    ...{ lens: "RF50mm F1.2", exposure: "1/250", aperture: 2.8, iso: 400, focalLength: 50 },
    ...{ latitude: -51.5, longitude: -0.25 },
  });
  const { duration, ...song } = await facts("song.mp3");
  assert.ok(Math.abs(duration - 1) < 0.1, duration);
  assert.deepEqual(song, {
    ...{ title: "Song", artist: "Band", album: "Album", track: 3, year: 1999 },
    codec: "MPEG 1 Layer 3",
  });
  assert.deepEqual(await facts("paper.pdf"), { pages: 1 });
  assert.deepEqual(await facts("phone.heic"), { width: 256, height: 192 });
  assert.equal((await facts("scan.tif")).pages, 3);
  assert.equal((await facts("one.tif")).pages, undefined);
  assert.deepEqual(await facts("burst.heic"), { pages: 2 });
  assert.deepEqual(await facts("lying.nef"), { width: 400, height: 600 });
});

Deno.test("hashes are told of thumbnails in the cache alone, and of what may be downloaded", async () => {
  await (await thumb("photo.jpg")).bytes();
  const { token: weak } = await app.addUser("weak2", { perm: { download: false } });
  const asked = [
    "/photo.jpg",
    "photo.jpg",
    "/shot.dng",
    "/out/away/passwd",
    "/album",
    "/notes.txt",
  ];
  const { hashes: told } = await (await hashes(asked)).json();
  assert.deepEqual(Object.keys(told).sort(), ["/photo.jpg", "photo.jpg"]);
  const hash = Uint8Array.fromBase64(told["/photo.jpg"]);
  assert.equal(thumbHashToApproximateAspectRatio(hash), 1);
  const { rgba } = thumbHashToRGBA(hash);
  assert.ok((rgba[0] ?? 0) > 150 && (rgba[1] ?? 255) < 110, "the first corner is red");
  assert.deepEqual(await (await hashes(asked, weak)).json(), { hashes: {} });
  await assertRefused(await hashes(Array(201).fill("/a")), 400, "invalid_body");
  await assertRefused(await hashes([1]), 400, "invalid_body");
  await assertRefused(await hashes(["/a/../../b"]), 400, "invalid_path");
  await assertStatus(await hashes(Array(200).fill("/photo.jpg")), 200);
});
