import assert from "node:assert/strict";
import { join } from "node:path";
import { SERVER } from "../../../lib/server/core/access/viewer.ts";
import type { Film } from "../../../lib/server/features/video/stream_choice.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { ensureMediaPrograms } from "../../support/disks/media_programs.ts";
import { makeBombs, makeFilms, makeLarge, packetsOf } from "../../support/data/films.ts";
import { makeOddFilms } from "../../support/data/odd_films.ts";
import { makeMusic } from "../../support/data/music_formats.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

await ensureMediaPrograms();
const [films, large, bombs, music, odd] = await Promise.all([
  ...[makeFilms(), makeLarge(), makeBombs(), makeMusic(), makeOddFilms()] as const,
]);
const app = await startApp({
  config: { disableMediaPrograms: false },
  tree: {
    ...{ ...films, ...bombs, ...music },
    "large.mkv": large,
    "words.mkv": odd["words.mkv"],
    "phone.mov": odd["phone.mov"],
    "hushed.mkv": odd["hushed.mkv"],
    "hushed.mp4": odd["hushed.mp4"],
    "hushed.avi": odd["hushed.avi"],
    "hollow.mkv": odd["hollow.mkv"],
    "hushed.ts": odd["hushed.ts"],
    "dark.mkv": odd["dark.mkv"],
    "old.flv": odd["old.flv"],
    "live.mkv": odd["live.mkv"],
    "live.wmv": odd["live.wmv"],
    "bare.m2v": odd["bare.m2v"],
    // No picture is whole.
    "cut.mkv": odd["hushed.mkv"].slice(0, 5_000),
    "notes.txt": "a text",
    "lie.mkv": "no film at all",
    "empty.mp4": "",
    "list.mkv": "#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n",
    folder: { "inner.mkv": films["copied.mkv"] },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string) => app.call("GET", `/api/stream/${path}`, { token });
// Starts the host of ffmpeg before the tests, which must not leave a process behind.
await (await get("info/old.mkv")).body?.cancel();

/** Conversions outlast the tests that start them: they wait for their viewers. */
function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

/** All that a playlist names, in the order in which it is asked for. */
async function play(
  path: string,
  query: string,
  call: (path: string) => Promise<Response> = get,
  order = (segments: string[]) => segments,
): Promise<{ bytes: Uint8Array; lengths: number[] }> {
  const answer = await call(`hls/${path}?${query}`);
  assert.equal(answer.status, 200, answer.ok ? "" : await answer.clone().text());
  assert.equal(answer.headers.get("content-type"), "application/vnd.apple.mpegurl");
  const lines = (await answer.text()).split("\n");
  assert.equal(lines.at(-2), "#EXT-X-ENDLIST");
  const lengths = lines.filter((line) => line.startsWith("#EXTINF:")).map((line) =>
    Number(line.slice(8, -1))
  );
  const [, header = ""] = /URI="(\?[^"]+)"/.exec(lines.join("\n")) ?? [];
  const segments = [header, ...lines.filter((line) => line.startsWith("?"))];
  const received = new Map<string, Uint8Array>();
  for (const segment of order(segments)) {
    const part = await call(`hls/${path}${segment}`);
    assert.equal(part.status, 200, part.ok ? "" : await part.clone().text());
    received.set(segment, await part.bytes());
  }
  const parts = segments.map((segment) => received.get(segment) ?? new Uint8Array());
  return { bytes: await new Blob(parts as Uint8Array<ArrayBuffer>[]).bytes(), lengths };
}

/** Whether times follow one another without a gap. */
function assertEven(times: number[], from: number, to: number): void {
  assert.ok(Math.abs((times[0] ?? 0) - from) < 0.15, `begins at ${times[0]}`);
  assert.ok(Math.abs((times.at(-1) ?? 0) - to) < 0.25, `ends at ${times.at(-1)}`);
  times.forEach((time, at) => {
    const gap = time - (times[at - 1] ?? time);
    assert.ok(gap < 0.12, `a gap of ${gap} s at ${time}`);
  });
}

test("a stream is refused to those who may not read the file", async () => {
  await assertRefused(await app.call("GET", "/api/stream/info/old.mkv"), 401, "not_signed_in");
  const { token: weak } = await app.addUser("weak", { perm: { download: false } });
  for (const part of ["info", "hls", "subtitle"]) {
    const answer = await app.call("GET", `/api/stream/${part}/old.mkv`, { token: weak });
    await assertRefused(answer, 403, "forbidden", part);
  }
  const segment = await app.call("GET", "/api/stream/hls/old.mkv?segment=0", { token: weak });
  await assertRefused(segment, 403, "forbidden");
});

test("a stream is refused for what is not there, no film, or asked for wrongly", async () => {
  for (const path of ["other/old.mkv", "info/none.mkv", "hls/old.mkv?segment=9999"]) {
    await assertRefused(await get(path), 404, "not_found", path);
  }
  for (const name of ["notes.txt", "lie.mkv", "empty.mp4", "list.mkv"]) {
    await assertRefused(await get(`info/${name}`), 501, "not_supported", name);
  }
  const options = ["video=720", "video=copy%00", "audio=9", "audio=-1", "segment=x", "audio=1e3"];
  for (const option of options) {
    await assertRefused(await get(`hls/old.mkv?${option}`), 400, "invalid_option", option);
  }
  await assertRefused(await get("subtitle/old.mkv?subtitle=1"), 400, "invalid_option");
  await assertRefused(await get("hls/tune.wma?video=480"), 501, "not_supported");
  await assertRefused(await get("hls/disc.mpg?video=copy"), 501, "not_supported");
  await assertRefused(await get("hls/..%2fold.mkv"), 400, "invalid_path");
});

test("a film that was cut off before its first picture is damaged, not gone", async () => {
  await (await get("info/cut.mkv")).json();
  const first = await get("hls/cut.mkv?video=480&segment=0");
  await assertRefused(first, 501, "not_supported");
});

test("the tracks of a film are told", async () => {
  const { container, duration, video, audio, subtitles } = await (await get("info/old.mkv")).json();
  assert.equal(container, "matroska,webm");
  assert.ok(Math.abs(duration - 10) < 0.2);
  assert.deepEqual(
    { ...video, codecs: video.codecs.slice(0, 9) },
    { codec: "hevc", codecs: "hvc1.1.6.", width: 320, height: 180, copies: true },
  );
  assert.deepEqual(audio.map(({ isDefault: _, ...track }: { isDefault: boolean }) => track), [
    { codec: "ac3", codecs: "ac-3", language: "eng", channels: 1 },
    { codec: "ac3", codecs: "ac-3", language: "fre", title: "Français", channels: 1 },
  ]);
  assert.equal(subtitles.length, 1);
  assert.deepEqual([subtitles[0].language, subtitles[0].isText], ["ger", true]);
});

test("HEVC with AC-3 becomes H.264 with AAC, whole and without gaps", async () => {
  const { bytes, lengths } = await play("old.mkv", "video=480&audio=1");
  assert.deepEqual(lengths.slice(0, 3), [1, 1, 1]);
  const video = await packetsOf(bytes, "v");
  assert.deepEqual([video.codec, video.height], ["h264", 180]);
  assertEven(video.times, 10, 20);
  assert.equal(video.keys.length, lengths.length, "a keyframe begins each segment");
  const audio = await packetsOf(bytes, "a");
  assert.equal(audio.codec, "aac");
  assertEven(audio.times, 10, 20);
});

test("segments that are asked for from the end fit together as well", async () => {
  const { bytes } = await play("disc.mpg", "video=1080", get, (all) => all.toReversed());
  const video = await packetsOf(bytes, "v");
  assertEven(video.times, 10, 14);
  assertEven((await packetsOf(bytes, "a")).times, 10, 14);
});

test("where the sound of a film ends, silence goes on as long as its pictures", async () => {
  const inOrder = (all: string[]) => all;
  const fromEnd = (all: string[]) => all.toReversed();
  for (
    const [name, query, order] of [
      ...[["hushed.mkv", "video=480", fromEnd], ["hushed.mkv", "video=1080", inOrder]] as const,
      ["hushed.mp4", "video=copy", inOrder] as const,
      ...[["hushed.avi", "video=480", fromEnd], ["hushed.avi", "video=1080", inOrder]] as const,
      ...[["hollow.mkv", "video=480", inOrder], ["hollow.mkv", "video=copy", inOrder]] as const,
    ]
  ) {
    const { bytes } = await play(name, query, get, order);
    assertEven((await packetsOf(bytes, "v")).times, 10, 18);
    assertEven((await packetsOf(bytes, "a")).times, 10, 18);
  }
});

test("that silence comes with its pictures, and not after the last of them", async () => {
  const { bytes } = await play("hushed.ts", "video=480");
  assertEven((await packetsOf(bytes, "a")).times, 10, 34);
  const header = await (await get("hls/hushed.ts?video=480&segment=init")).bytes();
  for (const index of [4, 12]) {
    const segment = await get(`hls/hushed.ts?video=480&segment=${index}`);
    const alone = await new Blob([header, await segment.bytes()]).bytes();
    assertEven((await packetsOf(alone, "a")).times, 10 + index, 11 + index);
  }
});

test("sound after the pictures of a film comes with the last of them", async () => {
  const { bytes, lengths } = await play("dark.mkv", "video=480");
  assert.equal(lengths.length, 2);
  assertEven((await packetsOf(bytes, "v")).times, 10, 12);
  assertEven((await packetsOf(bytes, "a")).times, 10, 18);
});

test("a film of Flash has its sound from the beginning on", async () => {
  const { bytes } = await play("old.flv", "video=480");
  assertEven((await packetsOf(bytes, "a")).times, 10, 14);
});

test("pictures that the browser decodes are copied, whatever the order", async () => {
  const { bytes, lengths } = await play("copied.mkv", "video=copy", get, (all) => all.toReversed());
  assert.ok(lengths.length >= 3 && Math.abs(lengths.reduce((a, b) => a + b) - 10) < 0.3);
  const [source, copy] = [
    await packetsOf(films["copied.mkv"], "v"),
    await packetsOf(bytes, "v"),
  ];
  assert.equal(copy.codec, "h264");
  assert.equal(copy.times.length, source.times.length);
  assertEven(copy.times, 10, 20);
  assert.equal((await packetsOf(bytes, "a")).codec, "aac");
});

test("seeks are quick at the first segment after a keyframe", async () => {
  const { keys } = await packetsOf(films["old.mkv"], "v");
  const { quickStarts } = await (await get("info/old.mkv?starts=true")).json();
  assert.ok(quickStarts.length > 1, "some are told");
  assert.equal(quickStarts.shift(), 0);
  for (const start of quickStarts) {
    const before = keys.map((key) => start - key);
    assert.ok(before.some((seconds) => seconds > 0.13 && seconds < 1.2), `${start}: ${keys}`);
  }
  const plain = await (await get("info/old.mkv")).json();
  assert.equal(plain.quickStarts, undefined, "unless asked for");
  for (const name of ["disc.mpg", "tune.wma"]) {
    const info = await (await get(`info/${name}?starts=true`)).json();
    assert.deepEqual(info.quickStarts, [], name);
  }
});

test("converted pictures have as many lines as asked for, and never more than the film", async () => {
  const linesOf = async (path: string, video: string) => {
    const header = await get(`hls/${path}?video=${video}&segment=init`);
    const segment = await get(`hls/${path}?video=${video}&segment=0`);
    const bytes = await new Blob([await header.bytes(), await segment.bytes()]).bytes();
    const { codec, height } = await packetsOf(bytes, "v");
    assert.equal(codec, "h264");
    return height;
  };
  assert.equal(await linesOf("large.mkv", "1080"), 1080);
  assert.equal(await linesOf("large.mkv", "480"), 480);
  assert.equal(await linesOf("copied.mkv", "1080"), 180);
});

for (const name of ["tune.wma", "lossless.m4a"]) {
  test(`music is played as AAC: ${name}`, async () => {
    const { bytes } = await play(name, "video=none");
    const audio = await packetsOf(bytes, "a");
    assert.equal(audio.codec, "aac");
    assertEven(audio.times, 10, 20);
  });
}

for (const name of Object.keys(music)) {
  test(`music that browsers lack is played as AAC: ${name}`, async () => {
    const { bytes } = await play(name, "video=none");
    const audio = await packetsOf(bytes, "a");
    assert.equal(audio.codec, "aac");
    assert.ok(audio.times.length > 40, `${audio.times.length} packets`);
  });
}

test("subtitles inside of a film are WebVTT", async () => {
  const answer = await get("subtitle/old.mkv");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/vtt; charset=utf-8");
  assert.match(await answer.text(), /^WEBVTT\n\n00:00:01\.0[01]\d --> 00:00:02\.5[01]\d\nThe sea!/);
});

test("subtitles of ASS are words with their styles, without drawings and comments", async () => {
  const answer = await get("subtitle/words.mkv");
  assert.equal(
    await answer.text(),
    "WEBVTT\n\n00:00:00.500 --> 00:00:03.000\n<i>The sea!</i>\n",
  );
  await assertRefused(await get("subtitle/words.mkv?subtitle=1"), 501, "not_supported");
});

test("upright pictures have as many columns as asked for", async () => {
  const header = await get("hls/phone.mov?video=480&segment=init");
  const segment = await get("hls/phone.mov?video=480&segment=0");
  const { height } = await packetsOf(
    await new Blob([await header.bytes(), await segment.bytes()]).bytes(),
    "v",
  );
  assert.equal(height, 852);
});

test("a film that grows is played on, segment by segment", async () => {
  const half = Math.floor(films["old.mkv"].length / 2);
  const file = join(app.root, "grows.mkv");
  await Deno.writeFile(file, films["old.mkv"].subarray(0, half));
  let at = half;
  const grow = async (path: string) => {
    await Deno.writeFile(file, films["old.mkv"].subarray(at, at += 500), {
      append: true,
    });
    return await get(path);
  };
  const { bytes } = await play("grows.mkv", "video=480", grow, (all) => all.slice(0, 4));
  assertEven((await packetsOf(bytes, "v")).times, 10, 13);
});

test("subtitles do not wait for the end of a film that is watched", async () => {
  const segment = await get("hls/long.mkv?video=480&segment=0");
  assert.equal(segment.status, 200);
  await segment.body?.cancel();
  // The conversion has made all that it makes ahead, and waits for its viewer.
  const ahead = await get("hls/long.mkv?video=480&segment=16");
  await ahead.body?.cancel();
  const answer = await get("subtitle/long.mkv");
  assert.match(await answer.text(), /^WEBVTT\n[^]*The sea![^]*The sea!/);
});

test("visitors of a share play its films, unless it counts downloads", async () => {
  const share = async (json: object, path = "folder") => {
    const answer = await app.call("POST", `/api/share/${path}`, { token, json });
    return (await answer.json()).hash as string;
  };
  const visit = (path: string) => app.call("GET", `/api/public/stream/${path}`);
  const hash = await share({ viewOnly: true });
  const info = await (await visit(`info/${hash}/inner.mkv`)).json();
  assert.equal(info.video.codec, "h264");
  const { bytes } = await play(`${hash}/inner.mkv`, "video=copy", visit);
  assertEven((await packetsOf(bytes, "v")).times, 10, 20);
  const counted = await share({ downloadLimit: 1 });
  await assertRefused(await visit(`hls/${counted}/inner.mkv`), 403, "forbidden");
  const locked = await share({ password: "a long password" });
  await assertRefused(await visit(`hls/${locked}/inner.mkv?segment=0`), 401, "password_required");
  await assertRefused(await visit(`info/${hash}/../old.mkv`), 404, "not_found");
  await assertRefused(await visit("info/none/inner.mkv"), 404, "not_found");
});

test("the playlist of a share with a password hands on its token, and no other option", async () => {
  const json = { password: "a long password" };
  const { hash } = await (await app.call("POST", "/api/share/folder", { token, json })).json();
  const headers = { "x-share-password": encodeURIComponent(json.password) };
  const opened = await app.call("GET", `/api/public/share/${hash}`, { headers });
  const { token: entry } = await opened.json();
  const query = `token=${encodeURIComponent(entry)}&x=%0A%23EXT`;
  const visit = (path: string) => app.call("GET", `/api/public/stream/${path}`);
  const answer = await visit(`hls/${hash}/inner.mkv?${query}`);
  if (answer.status === 400) return void await answer.body?.cancel();
  const lines = (await answer.text()).split("\n");
  assert.ok(lines.every((line) => !line.includes("x=")));
});

test("a film that does not tell its duration is measured once it is streamed", async () => {
  const durationOf = async (name: string) => (await (await get(`info/${name}`)).json()).duration;
  const later = (segments: string[]) => segments.toReversed();
  for (
    const [name, video] of [
      ...[["live.mkv", "480"], ["live.mkv", "copy"], ["bare.m2v", "480"], ["live.wmv", "480"]],
    ]
  ) {
    if (video === "480") assert.equal(await durationOf(`${name}`), 0);
    const { bytes, lengths } = await play(`${name}`, `video=${video}`, get, later);
    const told = lengths.reduce((sum, length) => sum + length, 0);
    assert.ok(lengths.length > 1 && Math.abs(told - 10) < 0.2, lengths.join());
    assertEven((await packetsOf(bytes, "v")).times, 10, 20);
    assert.ok(Math.abs(await durationOf(`${name}`) - 10) < 0.2);
  }
  const picture = await get("picture/live.mkv?at=6");
  assert.equal(picture.headers.get("content-type"), "image/jpeg", await picture.text());
});

test("a film that is deleted while it is read is not there, rather than changing", async () => {
  const { signal } = new AbortController();
  const { streams, seekPictures, gate } = app.cubby;
  const asker = { owner: "admin", signal };
  const segment = (video: "480" | "copy") => (film: Film) =>
    streams.segment(film, { video, audio: 0 }, 0, asker);
  const reads: ((film: Film) => Promise<unknown>)[] = [
    (film) => streams.timeline(film, { video: "copy", audio: 0 }, signal),
    (film) => streams.subtitles(film, 0, signal),
    (film) => seekPictures.picture(film, 3, asker),
    ...[segment("480"), segment("copy")],
  ];
  const place = join(app.root, "gone.mkv");
  for (const read of reads) {
    await Deno.writeFile(place, films["old.mkv"]);
    const film = await streams.open(gate.enter(SERVER), parsePath("/gone.mkv").path, signal);
    const reading = assert.rejects(read(film), { code: "not_found" });
    Deno.removeSync(place);
    await reading;
  }
});

test("twenty viewers of a film get the same segments, and one that leaves ends nothing", async () => {
  const leaving = new AbortController();
  const left = fetch(`${app.listen().url}/api/stream/hls/folder/inner.mkv?segment=1`, {
    headers: { "x-auth": token },
    signal: leaving.signal,
  }).then((answer) => answer.bytes()).catch(() => null);
  const viewers = Array.from({ length: 20 }, () => get("hls/folder/inner.mkv?segment=1"));
  leaving.abort();
  await left;
  const parts = await Promise.all(viewers.map(async (viewer) => await (await viewer).bytes()));
  for (const part of parts) assert.deepEqual(part, parts[0]);
  assert.ok((parts[0]?.length ?? 0) > 1_000);
});

test("users who play different films at a time take turns", async () => {
  const { token: other } = await app.addUser("other");
  const asOther = (path: string) => app.call("GET", `/api/stream/${path}`, { token: other });
  const [mine, others] = await Promise.all([
    play("old.mkv", "video=1080"),
    play("copied.mkv", "video=480", asOther),
  ]);
  for (const { bytes } of [mine, others]) assertEven((await packetsOf(bytes, "v")).times, 10, 20);
});

test("a film of too many pixels, and one of many tracks, end in time", async () => {
  await assertRefused(await get("hls/huge.mkv?segment=0"), 501, "not_supported");
  await assertRefused(await get("hls/huge.mkv?segment=0"), 501, "not_supported");
  await assertRefused(await get("hls/gigapixel.mkv?segment=0"), 501, "not_supported");
  const { audio } = await (await get("info/tracks.mka")).json();
  assert.equal(audio.length, 32);
});
