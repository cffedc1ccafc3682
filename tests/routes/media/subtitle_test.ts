import assert from "node:assert/strict";
import { join } from "node:path";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import { encoderOf } from "../../../lib/server/files/text/encode.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const time = "00:00:01,000 --> 00:00:02,000";
const russian = "Это простой русский текст, по которому узнают кодировку.";
const app = await startApp({
  tree: {
    "film.mkv": "",
    "film.srt": `1\n${time}\n<i>Hello</i>\n`,
    "changes.srt": `1\n${time}\nHello\n`,
    "film.ru.srt": encoderOf("windows-1251", "")(`1\r\n${time}\r\n${russian}\r\n`),
    "film.ass": "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,{\\an8}Up\n",
    "film.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nPlain\n",
    "binary.srt": Uint8Array.from([1, 0, 2, 0, 3]),
    "a.txt": "text",
    "folder.srt": {},
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string, headers?: Record<string, string>) =>
  app.call("GET", `/api/subtitle${path}`, { token, headers });

Deno.test("subtitle refuses what is not there, and what is no file", async () => {
  await assertRefused(await get("/none.srt"), 404, "not_found");
  await assertRefused(await get("/folder.srt"), 409, "is_folder");
  await assertRefused(await get("/%zz"), 400, "invalid_path");
});

Deno.test("subtitle wants the permission to download, for HEAD as well", async () => {
  const { token: weak } = await app.addUser("rosa", { perm: { download: false } });
  for (const path of ["/film.srt", "/none.srt"]) {
    const ask = (method: string) => app.call(method, `/api/subtitle${path}`, { token: weak });
    await assertRefused(await ask("GET"), 403, "forbidden", path);
    assert.equal((await ask("HEAD")).status, 403);
  }
});

Deno.test("subtitle does not convert what is none, by name or by content, or too large", async () => {
  await assertRefused(await get("/a.txt"), 501, "not_supported");
  await assertRefused(await get("/binary.srt"), 501, "not_supported");
  const large = join(app.root, "large.srt");
  Deno.writeTextFileSync(large, "");
  Deno.truncateSync(large, 10 * 1024 * 1024 + 1);
  const message = await assertRefused(await get("/large.srt"), 501, "not_supported");
  assert.equal(message, 'Cannot convert "/large.srt": it is over 10 MiB');
});

Deno.test("subtitle makes WebVTT of every kind, in UTF-8", async () => {
  const cue = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000";
  assert.equal(await (await get("/film.srt")).text(), `${cue}\n<i>Hello</i>\n`);
  assert.equal(await (await get("/film.ass")).text(), `${cue} line:0\nUp\n`);
  assert.equal(await (await get("/film.vtt")).text(), `${cue}\nPlain\n`);
  assert.equal(await (await get("/film.ru.srt")).text(), `${cue}\n${russian}\n`);
});

/** Texts that tell their encoding, with the mark that some have before them. */
const encoded: [string, string, number[]][] = [
  ["utf-8", "Ünïcödé mit Marke", [0xef, 0xbb, 0xbf]],
  ["utf-16le", "Zwei Bytes für jedes Zeichen, 中文 auch", [0xff, 0xfe]],
  ["utf-16be", "Zwei Bytes für jedes Zeichen, 中文 auch", [0xfe, 0xff]],
  ["windows-1252", "Für die Prüfung müssen wir größere Flächen über den Straßen räumen.", []],
  ["gbk", "这是一段普通的中文文字，用来检查文件的编码是否能够被正确识别。", []],
];
for (const [encoding, words, mark] of encoded) {
  Deno.test(`subtitle finds out by itself that a file is in ${encoding}`, async () => {
    const bytes = encoderOf(encoding, "")(`1\r\n${time}\r\n${words}\r\n`);
    Deno.writeFileSync(join(app.root, "encoded.srt"), Uint8Array.from([...mark, ...bytes]));
    const text = await (await get("/encoded.srt")).text();
    assert.equal(text, `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${words}\n`);
  });
}

Deno.test("subtitles in subs/ and subtitles/ beside a video are named, and can be had", async () => {
  for (const name of ["subs", "subtitles"]) {
    const folder = join(app.root, `with ${name}`);
    Deno.mkdirSync(join(folder, name), { recursive: true });
    const kinds = ["vtt", "srt", "ass", "ssa"];
    Deno.writeTextFileSync(join(folder, "film.mp4"), "");
    for (const kind of kinds) Deno.writeTextFileSync(join(folder, name, `film.${kind}`), "");
    const answer = await app.call("GET", `/api/resources/with%20${name}/film.mp4`, { token });
    const { subtitles }: Resource = await answer.json();
    const paths = kinds.map((kind) => `/with ${name}/${name}/film.${kind}`);
    assert.deepEqual(subtitles?.toSorted(), paths.toSorted());
    for (const path of paths) await assertStatus(await get(encodeURI(path)), 200, path);
  }
});

Deno.test("subtitle says what it sends, and lets nothing run in it", async () => {
  const { headers, body } = await get("/film.srt");
  await body?.cancel();
  assert.equal(headers.get("content-type"), "text/vtt; charset=utf-8");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
  assert.match(headers.get("cache-control") ?? "", /^private/);
  assert.ok(headers.get("last-modified"));
});

Deno.test("subtitle answers a conditional GET, with a tag that is not the file's own", async () => {
  const answer = await get("/changes.srt");
  await answer.body?.cancel();
  const etag = answer.headers.get("etag") ?? "";
  assert.match(etag, /^"[^"]+"$/);
  assert.equal((await get("/changes.srt", { "if-none-match": etag })).status, 304);
  await assertRefused(
    await get("/changes.srt", { "if-match": '"other"' }),
    412,
    "precondition_failed",
  );
  const raw = await app.call("HEAD", "/api/raw/changes.srt", { token });
  assert.notEqual(raw.headers.get("etag"), etag);
  Deno.writeTextFileSync(join(app.root, "changes.srt"), `1\n${time}\nChanged\n`);
  const changed = await get("/changes.srt", { "if-none-match": etag });
  assert.equal(changed.status, 200);
  assert.match(await changed.text(), /Changed/);
});

Deno.test("HEAD of subtitle tells the type and the tag, and converts nothing", async () => {
  const answer = await app.call("HEAD", "/api/subtitle/binary.srt", { token });
  assert.equal(answer.status, 200);
  assert.equal(await answer.text(), "");
  assert.equal(answer.headers.get("content-type"), "text/vtt; charset=utf-8");
});

Deno.test("every path that a video names as its subtitles can be had", async () => {
  const video: Resource = await (await app.call("GET", "/api/resources/film.mkv", { token }))
    .json();
  assert.equal(video.subtitles?.length, 4);
  for (const path of video.subtitles) await assertStatus(await get(path), 200, path);
});

Deno.test("subtitles in a large folder are found as well, in any language", async () => {
  const large = join(app.root, "large");
  Deno.mkdirSync(join(large, "Subs"), { recursive: true });
  for (let index = 0; index < 1_500; index++) {
    Deno.symlinkSync("none", join(large, `episode ${index} of a series with a long name`));
  }
  for (const name of ["film.mkv", "film.en.srt", "Subs/film.vtt"]) {
    Deno.writeTextFileSync(join(large, name), "");
  }
  const answer = await app.call("GET", "/api/resources/large/film.mkv", { token });
  const { subtitles }: Resource = await answer.json();
  assert.deepEqual(subtitles, ["/large/film.en.srt", "/large/Subs/film.vtt"]);
});
