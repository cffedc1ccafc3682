import assert from "node:assert/strict";
import {
  type Decoder,
  plansFor,
  qualitiesFor,
} from "../../../../../lib/client/screens/preview/film/how_to_play.ts";
import {
  filmKey,
  keepPlace,
  readFilmChoices,
  readPlace,
} from "../../../../../lib/client/screens/preview/film/kept_films.ts";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import type { StreamInfo } from "../../../../../lib/shared/schemas/stream.ts";

/** A browser with these codecs and containers. */
function browserWith(codecs: RegExp, containers = /\/(mp4|webm|wav);/): Decoder {
  const has = (type: string) => {
    const [, named = ""] = /codecs="([^"]+)"/.exec(type) ?? [];
    return named.split(",").every((codec) => codecs.test(codec));
  };
  return { file: (type) => containers.test(type) && has(type), stream: has };
}

const usual = browserWith(/^(avc1|mp4a|opus|vp09)/);
const film = (video: string, audio: string, container = "matroska,webm"): StreamInfo => ({
  container,
  duration: 100,
  video: {
    codec: video,
    codecs: { h264: "avc1.640028", hevc: "hvc1.1.6.L120.B0" }[video],
    width: 1920,
    height: 1080,
    copies: video !== "mpeg2video",
  },
  audio: [
    { codec: audio, codecs: { aac: "mp4a.40.2", ac3: "ac-3" }[audio] },
    { codec: "aac", codecs: "mp4a.40.2" },
  ],
  subtitles: [],
});
const original = { audio: 0, quality: "original", height: "480" } as const;

Deno.test("a film plays as it is, then copied, then converted, as far as the browser goes", () => {
  assert.deepEqual(plansFor(film("h264", "aac", "mov,mp4"), "a.mp4", usual, original), [
    { is: "file" },
    { is: "stream", video: "copy", why: { is: "container", name: "MP4" } },
    { is: "stream", video: "480", why: { is: "container", name: "MP4" } },
  ]);
  assert.deepEqual(plansFor(film("h264", "aac"), "a.mkv", usual, original)[0], {
    ...{ is: "stream", video: "copy", why: { is: "container", name: "Matroska" } },
  });
  assert.deepEqual(plansFor(film("h264", "ac3"), "a.mkv", usual, original)[0], {
    ...{ is: "stream", video: "copy", why: { is: "audio", codec: "AC-3" } },
  });
  for (const [codec, name] of [["hevc", "HEVC"], ["mpeg2video", "MPEG-2"]] as const) {
    assert.deepEqual(plansFor(film(codec, "ac3"), "a.mkv", usual, original), [
      { is: "stream", video: "480", why: { is: "video", codec: name } },
    ]);
  }
});

Deno.test("another audio track, and another quality, are streams", () => {
  const plain = film("h264", "aac", "mov,mp4");
  assert.deepEqual(plansFor(plain, "a.mp4", usual, { ...original, audio: 1 })[0], {
    ...{ is: "stream", video: "copy", why: { is: "choice" } },
  });
  assert.deepEqual(plansFor(plain, "a.mp4", usual, { ...original, quality: "1080" }), [
    { is: "stream", video: "1080", why: { is: "choice" } },
  ]);
  assert.deepEqual(plansFor(film("hevc", "ac3"), "a.mkv", usual, { ...original, height: "1080" }), [
    { is: "stream", video: "1080", why: { is: "video", codec: "HEVC" } },
  ]);
  assert.deepEqual(qualitiesFor(plain, "a.mp4", usual), ["original", "1080", "480"]);
  assert.deepEqual(qualitiesFor(film("hevc", "ac3"), "a.mkv", usual), ["1080", "480"]);
});

Deno.test("a sound in a container of films is streamed without pictures", () => {
  const { video: _, ...sound } = film("h264", "ac3");
  assert.deepEqual(plansFor(sound, "a.mkv", usual, original), [
    { is: "stream", video: "none", why: { is: "audio", codec: "AC-3" } },
  ]);
});

Deno.test("places in films are kept, but for their beginning and end, and for the last 200", () => {
  const storage = memoryStorage();
  const film = { size: 5, modified: "2026-11-30T12:00:00.123Z" };
  const key = filmKey({ user: 1 }, film);
  keepPlace(storage, key, { at: 50.04, duration: 100 });
  assert.equal(readPlace(storage, key), 50);
  assert.equal(readPlace(storage, filmKey({ share: "x" }, film)), 0);
  keepPlace(storage, key, { at: 97, duration: 100 });
  assert.equal(readPlace(storage, key), 0);
  keepPlace(storage, key, { at: 2, duration: 100 });
  assert.equal(readPlace(storage, key), 0);
  keepPlace(storage, key, { at: 30, duration: 100 });
  for (let other = 0; other < 200; other++) {
    keepPlace(storage, `${other}`, { at: 30, duration: 100 });
  }
  assert.deepEqual([readPlace(storage, key), readPlace(storage, "199")], [0, 30]);
  storage.setItem("film places", '{"no": "list"}');
  assert.equal(readPlace(storage, key), 0);
  storage.setItem("film", "[");
  assert.deepEqual(readFilmChoices(storage), {
    ...{ volume: 1, isMuted: false, quality: "original", height: "480", goesOn: false },
    language: "",
  });
});
