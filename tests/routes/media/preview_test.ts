import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { bitmap, looksOf, quarters, turnedCorners } from "../../support/data/pictures.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const jpeg = await quarters(600, 400).jpeg({ quality: 95 }).toBuffer();
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"/>`;
const quarterPixels = [[230, 20, 20], [20, 180, 20], [20, 20, 230], [250, 250, 250]];

const app = await startApp({
  tree: {
    "photo.jpg": jpeg,
    "wide.png": await quarters(3000, 1000).png().toBuffer(),
    "moving.gif": await quarters(40, 40).gif().toBuffer(),
    "photo.webp": await quarters(300, 300).webp({ quality: 95 }).toBuffer(),
    "photo.avif": await quarters(300, 300).avif({ effort: 0, quality: 80 }).toBuffer(),
    "scan.tiff": await quarters(300, 300).tiff().toBuffer(),
    "old.bmp": bitmap(2, quarterPixels),
    "drawing.svg": drawing,
    "no extension": jpeg,
    "really a png.jpg": await quarters(300, 300).png().toBuffer(),
    "notes.txt": "a text",
    "film.mp4": "\0\0\0\x18ftypmp42",
    "empty.jpg": "",
    "lie.jpg": "<html>a text that calls itself a picture",
    "start.jpg": jpeg.subarray(0, 200),
    "archive.png": "PK\x03\x04 not a picture",
    folder: { "inner.jpg": jpeg },
    bare: { "notes.txt": "a text" },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string, headers?: Record<string, string>) =>
  app.call("GET", `/api/preview${path}`, { token, headers });
// Starts the host of ffmpeg before the tests, which must not leave a process behind.
await get("/thumb/film.mp4");
const webp = { accept: "image/avif,image/webp,*/*;q=0.8" };

Deno.test("preview refuses those who are not signed in or may not download", async () => {
  await assertRefused(await app.call("GET", "/api/preview/thumb/photo.jpg"), 401, "not_signed_in");
  const { token: weak } = await app.addUser("quin", { perm: { download: false } });
  for (const path of ["photo.jpg", "none.jpg", "notes.txt"]) {
    const answer = await app.call("GET", `/api/preview/thumb/${path}`, { token: weak });
    await assertRefused(answer, 403, "forbidden", path);
  }
});

Deno.test("preview refuses what is not there, and sizes that there are not", async () => {
  await assertRefused(await get("/thumb/none.jpg"), 404, "not_found");
  for (const path of ["/huge/photo.jpg", "/thumb%2Fphoto.jpg", "/thum%62/photo.jpg", "/"]) {
    await assertRefused(await get(path), 404, "not_found", path);
  }
  await assertRefused(await get("/thumb/..%2fphoto.jpg"), 400, "invalid_path");
  const post = await app.call("POST", "/api/preview/thumb/photo.jpg", { token });
  assert.equal(post.headers.get("allow"), "GET, HEAD, OPTIONS");
  await assertRefused(post, 405, "method_not_allowed");
});

Deno.test("preview answers 501 for what is no picture, a drawing, broken, empty or mislabelled", async () => {
  const names = ["notes.txt", "film.mp4", "empty.jpg", "lie.jpg", "start.jpg", "archive.png"];
  names.push("drawing.svg");
  for (const name of [...names, "bare", "bare/"]) {
    for (const size of ["thumb", "big"]) {
      const message = await assertRefused(
        await get(`/${size}/${name}`),
        501,
        "not_supported",
        name,
      );
      assert.ok(message.startsWith('Cannot make a preview of "/'), message);
    }
  }
});

Deno.test("a broken file is refused until it changes", async () => {
  await Deno.writeFile(join(app.root, "mended.jpg"), jpeg.subarray(0, 200));
  await assertRefused(await get("/thumb/mended.jpg"), 501, "not_supported");
  await assertRefused(await get("/thumb/mended.jpg"), 501, "not_supported");
  await Deno.writeFile(join(app.root, "mended.jpg"), jpeg);
  await assertStatus(await get("/thumb/mended.jpg"), 200);
});

Deno.test("a thumbnail is a square of 256 pixels, cut out of the middle", async () => {
  const answer = await get("/thumb/photo.jpg", webp);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "image/webp");
  assert.deepEqual(await looksOf(await answer.bytes()), {
    ...{ format: "webp", width: 256, height: 256 },
    corners: "red green blue white",
  });
});

Deno.test("a larger thumbnail can be had, as far as the picture has the pixels for it", async () => {
  const sideOf = async (path: string) => {
    const { width, height, corners } = await looksOf(await (await get(path, webp)).bytes());
    assert.deepEqual([width, corners], [height, "red green blue white"], path);
    return width;
  };
  assert.equal(await sideOf("/thumb/wide.png?side=256"), 256);
  assert.equal(await sideOf("/thumb/wide.png?side=360"), 360);
  assert.equal(await sideOf("/thumb/wide.png?side=640"), 640);
  assert.equal(await sideOf("/thumb/photo.jpg?side=640"), 400);
  assert.equal(await sideOf("/thumb/moving.gif?side=640"), 256);
  for (const side of ["300", "", "0x100", "1e9", "-256"]) {
    await assertRefused(await get(`/thumb/photo.jpg?side=${side}`), 400, "invalid_option", side);
  }
});

Deno.test("a big preview keeps its shape within 1080 pixels and is never enlarged", async () => {
  const wide = await looksOf(await (await get("/big/wide.png")).bytes());
  assert.deepEqual([wide.width, wide.height, wide.corners], [1080, 360, "red green blue white"]);
  const small = await looksOf(await (await get("/big/photo.jpg")).bytes());
  assert.deepEqual([small.width, small.height], [600, 400]);
});

for (
  const name of [
    ...["wide.png", "moving.gif", "photo.webp", "photo.avif", "scan.tiff", "old.bmp"],
    ...["no%20extension", "really%20a%20png.jpg"],
  ]
) {
  Deno.test(`preview shows ${decodeURIComponent(name)} as WebP and as JPEG`, async () => {
    for (const [accept, format] of [["image/webp", "webp"], ["*/*", "jpeg"]] as const) {
      const answer = await get(`/thumb/${name}`, { accept });
      assert.equal(answer.status, 200, answer.ok ? "" : await answer.text());
      assert.equal(answer.headers.get("content-type"), `image/${format}`);
      const { corners, ...looks } = await looksOf(await answer.bytes());
      assert.deepEqual(looks, { format, width: 256, height: 256 });
      assert.equal(corners, "red green blue white");
    }
  });
}

Deno.test("a picture is turned upright as its EXIF data says, in all eight ways", async () => {
  for (const [orientation, corners] of Object.entries(turnedCorners)) {
    const picture = await quarters(300, 200).jpeg({ quality: 95 })
      .withMetadata({ orientation: Number(orientation) }).toBuffer();
    await Deno.writeFile(join(app.root, `turned${orientation}.jpg`), picture);
    const looks = await looksOf(await (await get(`/big/turned${orientation}.jpg`)).bytes());
    const size = Number(orientation) < 5 ? [300, 200] : [200, 300];
    assert.deepEqual([looks.width, looks.height, looks.corners], [...size, corners], orientation);
  }
});

Deno.test("JPEG is sent when WebP is not accepted by name, or refused", async () => {
  const types = [
    "*/*",
    "image/*",
    "image/webp;q=0",
    "image/webp ; q=0.0, image/png",
    "",
    "image/webpx",
  ];
  for (const accept of types) {
    const answer = await get("/thumb/photo.jpg", { accept });
    assert.equal(answer.headers.get("content-type"), "image/jpeg", accept);
    assert.equal(answer.headers.get("vary"), "Accept");
    await answer.body?.cancel();
  }
  const accept = "text/html, IMAGE/WebP;q=0.5";
  const answer = await get("/thumb/photo.jpg", { accept });
  assert.equal(answer.headers.get("content-type"), "image/webp");
  await answer.body?.cancel();
});

Deno.test("a preview is private, shown in place, and asked for again without a key", async () => {
  const answer = await get("/thumb/photo.jpg?inline=true", webp);
  const { headers } = answer;
  assert.equal(headers.get("cache-control"), "private, no-cache");
  assert.equal(headers.get("vary"), "Accept");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
  assert.match(headers.get("content-disposition") ?? "", /^inline; filename="photo.webp"/);
  await answer.body?.cancel();

  const etag = headers.get("etag") ?? "";
  const again = await get("/thumb/photo.jpg", { ...webp, "if-none-match": etag });
  assert.equal(again.status, 304);
  assert.equal(again.headers.get("etag"), etag);
  assert.equal(again.headers.get("vary"), "Accept");
  const other = await get("/thumb/photo.jpg", { accept: "image/jpeg", "if-none-match": etag });
  assert.equal(other.status, 200, "the other format is another one");
  await other.body?.cancel();
  await assertRefused(
    await get("/thumb/photo.jpg", { "if-match": etag }),
    412,
    "precondition_failed",
  );
});

Deno.test("a preview asked for by a key may be kept for good; a refusal may not", async () => {
  const answer = await get("/thumb/photo.jpg?k=1700000000");
  assert.equal(answer.headers.get("cache-control"), "private, immutable, max-age=31536000");
  await answer.body?.cancel();
  const refused = await get("/thumb/lie.jpg?k=1700000000");
  assert.equal(refused.headers.get("cache-control"), "no-store");
  await assertRefused(refused, 501, "not_supported");
  const keyless = await get("/thumb/photo.jpg?k=");
  assert.equal(keyless.headers.get("cache-control"), "private, no-cache");
  await keyless.body?.cancel();
});

Deno.test("HEAD tells of a preview without making it", async () => {
  await Deno.writeFile(join(app.root, "unread.jpg"), jpeg.subarray(0, 100));
  const answer = await app.call("HEAD", "/api/preview/thumb/unread.jpg", { token });
  assert.equal(answer.status, 200);
  assert.equal(await answer.text(), "");
  assert.ok(answer.headers.get("etag"));
  assert.equal((await app.call("HEAD", "/api/preview/thumb/notes.txt", { token })).status, 501);
});

Deno.test("a changed file has another preview at once", async () => {
  const path = join(app.root, "changing.png");
  await Deno.writeFile(path, await quarters(64, 64).png().toBuffer());
  const before = await get("/thumb/changing.png");
  assert.equal((await looksOf(await before.bytes())).corners, "red green blue white");
  await Deno.writeFile(path, await quarters(64, 64).flip().png().toBuffer());
  const after = await get("/thumb/changing.png");
  assert.equal((await looksOf(await after.bytes())).corners, "blue white red green");
  assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
});

Deno.test("switched off, previews are the pictures themselves, in their sandbox", async () => {
  const config = { disableThumbnails: true, disablePreviewResize: true };
  await using off = await startApp({
    config,
    tree: { "a.jpg": jpeg, "b.txt": "text", "c.svg": drawing },
  });
  const token = await off.tokenOf("admin");
  for (const size of ["thumb", "big"]) {
    const answer = await off.call("GET", `/api/preview/${size}/a.jpg`, { token });
    assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), new Uint8Array(jpeg));
    assert.equal(answer.headers.get("content-type"), "image/jpeg");
    assert.match(answer.headers.get("content-disposition") ?? "", /^inline; /);
    assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox; /);
    const text = await off.call("GET", `/api/preview/${size}/b.txt`, { token });
    await assertRefused(text, 501, "not_supported");
    const itself = await off.call("GET", `/api/preview/${size}/c.svg`, { token });
    assert.equal(await itself.text(), drawing);
    assert.equal(itself.headers.get("content-type"), "image/svg+xml");
    assert.match(itself.headers.get("content-security-policy") ?? "", /^sandbox; /);
  }
});

Deno.test("clients of File Browser get as they are the pictures that it does not resize", async () => {
  const tiff = await quarters(30, 30).tiff().toBuffer();
  const gif = await quarters(40, 40).gif().toBuffer();
  const heic = "\0\0\0\x18ftypheic";
  const tree = { "a.svg": drawing, "b.heic": heic, "c.TIFF": tiff, "d.gif": gif, "e.jpg": jpeg };
  await using compat = await startApp({
    config: { apiCompat: "2.63" },
    tree: { ...tree, "f.nef": "a negative", "broken.png": "PK", "notes.txt": "a text" },
  });
  const token = await compat.tokenOf("admin");
  const ask = (path: string, headers = {}) =>
    compat.call("GET", `/api/preview/${path}`, { token, headers });
  for (const path of ["big/broken.png", "big/notes.txt", "thumb/f.nef"]) {
    await assertRefused(await ask(`${path}?inline=true&key=1`), 501, "not_supported", path);
  }
  const { token: weak } = await compat.addUser("quin", { perm: { download: false } });
  const refused = await compat.call("GET", "/api/preview/big/a.svg", { token: weak });
  await assertRefused(refused, 403, "forbidden");
  await assertRefused(await ask("thumb/a.svg", { "sec-fetch-dest": "script" }), 403, "forbidden");

  const text = (value: string) => new TextEncoder().encode(value);
  const whole: [string, string, Uint8Array][] = [
    ["thumb/a.svg", "image/svg+xml", text(drawing)],
    ["big/a.svg", "image/svg+xml", text(drawing)],
    ["thumb/b.heic", "image/heic", text(heic)],
    ["big/c.TIFF", "image/tiff", tiff],
    ["thumb/d.gif", "image/gif", gif],
    ["big/f.nef", "image/x-nikon-nef", text("a negative")],
  ];
  for (const [path, type, bytes] of whole) {
    const answer = await ask(`${path}?inline=true&key=1`, webp);
    await assertStatus(answer.clone(), 200, path);
    assert.deepEqual(await answer.bytes(), new Uint8Array(bytes), path);
    assert.equal(answer.headers.get("content-type"), type);
    assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox; /);
  }
  // Resized all the same: what it resizes, and what our own pages ask for, with their key.
  for (
    const path of ["big/e.jpg?key=1", "thumb/c.TIFF?key=1", "big/c.TIFF?k=1", "thumb/d.gif?k=1"]
  ) {
    const answer = await ask(path);
    await assertStatus(answer.clone(), 200, path);
    assert.equal(answer.headers.get("content-type"), "image/jpeg", path);
    await answer.body?.cancel();
  }
  await assertRefused(await ask("big/a.svg?k=1"), 501, "not_supported");
});

Deno.test("the thumbnail of a text is its beginning, for those who ask for text by name", async () => {
  const lines = "日本語の文章です。\n".repeat(400);
  await Deno.writeTextFile(join(app.root, "long.md"), lines);
  const latin = "Le garçon a mangé une crème brûlée à la fenêtre de l'hôtel. ".repeat(4);
  const latinBytes = Uint8Array.from(latin, (letter) => letter.charCodeAt(0));
  await Deno.writeFile(join(app.root, "latin.csv"), latinBytes);
  await Deno.writeFile(join(app.root, "bytes.log"), new Uint8Array(300).fill(2).with(5, 0));
  const text = { accept: "text/plain" };
  const path = "/thumb/notes.txt";
  await assertRefused(await get(path), 501, "not_supported");
  for (const none of ["/big/notes.txt", "/thumb/bytes.log", "/thumb/bare"]) {
    await assertStatus(await get(none, text), 501, none);
  }
  await assertStatus(await get("/thumb/bytes.log?optional=true", text), 204);
  const { token: weak } = await app.addUser("ines", { perm: { download: false } });
  const refused = await app.call("GET", `/api/preview${path}`, { token: weak, headers: text });
  await assertStatus(refused, 403);

  const short = await get(`${path}?k=1`, text);
  assert.equal(await short.text(), "a text");
  assert.equal(short.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(short.headers.get("x-content-type-options"), "nosniff");
  assert.match(short.headers.get("cache-control") ?? "", /private, immutable/);
  const cut = await (await get("/thumb/long.md", text)).text();
  assert.ok(cut.length > 1000 && cut.length < 1500, `${cut.length} characters`);
  assert.ok(lines.startsWith(cut) && cut.endsWith("\n"));
  assert.equal(await (await get("/thumb/latin.csv", text)).text(), latin);
});
