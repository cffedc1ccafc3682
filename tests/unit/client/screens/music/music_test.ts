import assert from "node:assert/strict";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { Music } from "../../../../../lib/client/screens/music/music.ts";
import type { ConversionEvents } from "../../../../../lib/client/screens/preview/player/converted_sound.ts";
import type { Sound } from "../../../../../lib/client/screens/music/loaded_track.ts";
import { formatTime, spokenTime } from "../../../../../lib/client/screens/preview/player/times.ts";
import {
  folderOf,
  musicIn,
  musicOf,
  titleOf,
} from "../../../../../lib/client/screens/music/use_music.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";
import type { Entry } from "../../../../../lib/shared/schemas/entry.ts";
import type { ReplayGain } from "../../../../../lib/shared/schemas/media.ts";
import { fileNamed, folderOf as folderAnswer, speakTo, until } from "../../support.ts";

/** The browser's player, without sound. */
class SilentSound extends EventTarget implements Sound {
  src = "";
  currentTime = 0;
  duration = NaN;
  paused = true;
  volume = 1;
  muted = false;
  readyState = 0;
  preload: HTMLAudioElement["preload"] = "";
  /** Why the browser does not play. */
  refusal: string | null = null;

  play(): Promise<void> {
    if (this.refusal) return Promise.reject(Object.assign(new Error(), { name: this.refusal }));
    this.paused = false;
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  }

  pause(): void {
    this.paused = true;
    this.dispatchEvent(new Event("pause"));
  }

  load(): void {
    this.currentTime = 0;
  }

  removeAttribute(): void {
    this.src = "";
  }

  /** The track is known to be so long. */
  knows(seconds: number): void {
    this.duration = seconds;
    this.currentTime = 0;
    this.dispatchEvent(new Event("loadedmetadata"));
  }

  /** It plays at a place. */
  reaches(seconds: number): void {
    this.currentTime = seconds;
    this.dispatchEvent(new Event("timeupdate"));
  }

  /** The track is over. */
  ends(): void {
    this.currentTime = this.duration;
    this.pause();
    this.dispatchEvent(new Event("ended"));
  }

  fails(): void {
    this.dispatchEvent(new Event("error"));
  }
}

const song = (name: string): Entry => ({ ...fileNamed(name, "/Music"), type: "audio" });
const album = ["a", "b", "c"].map(song);

/** Music that a server gives out as `statusOf` says. */
function listen(statusOf: (path: string) => number = () => 200) {
  const spoken = speakTo(({ path }) =>
    new Response(null, { status: statusOf(decodeURIComponent(path)) })
  );
  const sound = new SilentSound();
  const fixture = {
    ...spoken,
    ...{ sound, spare: new SilentSound(), gains: new Map<string, ReplayGain>() },
    conversions: [] as (ConversionEvents & { at: string; seconds: number; isOver: boolean })[],
    choices: memoryStorage(),
    kept: memoryStorage(),
    unplayable: [] as string[],
    open: (): Music =>
      new Music({
        api: spoken.api,
        sound: fixture.sound,
        spare: fixture.spare,
        infoOf: ({ name }) =>
          Promise.resolve({
            title: `The title of ${name}`,
            replayGain: fixture.gains.get(name),
          }),
        convert(at, _player, seconds, events) {
          fixture.conversions.push({ at, seconds, isOver: false, ...events });
          const conversion = fixture.conversions.at(-1);
          return () => conversion && (conversion.isOver = true);
        },
        choices: fixture.choices,
        kept: fixture.kept,
        userId: 1,
        onUnplayable: ({ name }) => void fixture.unplayable.push(name),
        onPlay: () => {},
      }),
    plays: () => decodeURIComponent(/\/Music\/(\w+)/.exec(fixture.sound.src)?.[1] ?? ""),
  };
  return fixture;
}

Deno.test("a track is followed by the next one, and the last by nothing", async () => {
  await using fixture = listen();
  const music = fixture.open();
  music.start(album, "/Music/b");
  fixture.sound.knows(60);
  assert.equal(fixture.plays(), "b");
  assert.ok(music.isPlaying.value);
  fixture.sound.ends();
  assert.equal(fixture.plays(), "c");
  assert.ok(!fixture.sound.paused && music.isPlaying.value);
  fixture.sound.knows(60);
  fixture.sound.ends();
  assert.equal(fixture.plays(), "c");
  assert.equal(music.isPlaying.value, false);
});

Deno.test("a track that repeats begins anew, without another request", async () => {
  await using fixture = listen();
  const music = fixture.open();
  music.start(album, "/Music/b");
  music.repeats("one");
  fixture.sound.knows(60);
  const { src } = fixture.sound;
  fixture.sound.ends();
  assert.equal(fixture.sound.src, src);
  assert.equal(fixture.sound.currentTime, 0);
  assert.equal(fixture.sound.paused, false);
});

Deno.test("the next track is loaded before the end, and begins where the track ends", async () => {
  await using fixture = listen();
  const { sound, spare } = fixture;
  const music = fixture.open();
  music.start(album, "/Music/a");
  sound.knows(60);
  sound.reaches(30);
  assert.equal(spare.src, "");
  sound.reaches(45);
  assert.match(spare.src, /Music\/b/);
  assert.ok(spare.paused);
  spare.knows(70);
  spare.readyState = 4;
  assert.equal(music.time.value.of, 60);
  sound.reaches(59.99);
  await until(() => !spare.paused);
  assert.equal(music.queue.current.value?.entry.name, "b");
  assert.deepEqual(music.time.value, { at: 0, of: 70 });
  // The former track ends a moment later, which changes nothing.
  sound.ends();
  assert.ok(music.isPlaying.value && !spare.paused);
  spare.reaches(65);
  assert.match(sound.src, /Music\/c/);
  music.pause();
  assert.ok(spare.paused);
});

Deno.test("what was loaded to follow goes with a change of the queue, and one that fails is passed over", async () => {
  await using fixture = listen((path) => path.endsWith("c") ? 404 : 200);
  const { sound, spare } = fixture;
  const music = fixture.open();
  music.start(album, "/Music/a");
  sound.knows(60);
  sound.reaches(50);
  assert.match(spare.src, /Music\/b/);
  const [, second] = music.queue.tracks.value;
  music.remove(second?.id ?? 0);
  sound.reaches(51);
  assert.match(spare.src, /Music\/c/);
  spare.fails();
  assert.deepEqual(fixture.unplayable, []);
  sound.ends();
  assert.equal(fixture.plays(), "c");
  music.repeats("one");
  sound.knows(60);
  sound.reaches(50);
  assert.equal(spare.src, "");
});

Deno.test("what the browser cannot decode is played as the server converts it", async () => {
  await using fixture = listen();
  const { sound, conversions } = fixture;
  const music = fixture.open();
  music.start(album, "/Music/a", 12);
  sound.fails();
  await until(() => conversions.length === 1);
  const [conversion] = conversions;
  assert.deepEqual([conversion?.at, conversion?.seconds], ["/Music/a", 12]);
  conversion?.onTurn(true);
  assert.ok(music.isWaiting.value);
  conversion?.onTurn(false);
  assert.equal(music.isWaiting.value, false);
  sound.paused = true;
  sound.knows(60);
  assert.ok(!sound.paused && music.isPlaying.value);
  music.next();
  assert.ok(conversion?.isOver);
  assert.equal(fixture.plays(), "b");
  sound.fails();
  await until(() => conversions.length === 2);
  conversions[1]?.onFailure();
  await until(() => fixture.plays() === "c");
  assert.deepEqual(fixture.unplayable, ["b"]);
});

Deno.test("the next track is converted ahead where the browser cannot decode it", async () => {
  await using fixture = listen();
  const { sound, spare, conversions } = fixture;
  const music = fixture.open();
  music.start(album, "/Music/a");
  sound.knows(60);
  sound.reaches(50);
  spare.fails();
  await until(() => conversions.length === 1);
  const [conversion] = conversions;
  assert.deepEqual([conversion?.at, conversion?.seconds], ["/Music/b", 0]);
  conversion?.onTurn(true);
  assert.equal(music.isWaiting.value, false, "it is not its turn");
  spare.knows(70);
  spare.readyState = 4;
  sound.reaches(59.99);
  await until(() => !spare.paused);
  assert.equal(music.queue.current.value?.entry.name, "b");
  assert.equal(conversion?.isOver, false);
  conversion?.onTurn(true);
  assert.ok(music.isWaiting.value);
  spare.reaches(60);
  sound.fails();
  await until(() => conversions.length === 2);
  const [, second] = music.queue.tracks.value;
  music.remove(music.queue.tracks.value[2]?.id ?? 0);
  spare.reaches(61);
  assert.ok(conversions[1]?.isOver, "it does not follow any more");
  music.remove(second?.id ?? 0);
  assert.ok(conversion?.isOver);
  assert.equal(music.isWaiting.value, false);
});

Deno.test("what a track tells of itself is shown while it is the current one", async () => {
  await using fixture = listen();
  const music = fixture.open();
  music.start(album, "/Music/a");
  await until(() => music.tags.value.title === "The title of a");
  music.next();
  assert.equal(music.tags.value.title, undefined);
  await until(() => music.tags.value.title === "The title of b");
});

Deno.test("tags say how loud tracks are, each for itself or by its album, and never over full scale", async () => {
  await using fixture = listen();
  const { sound, spare, gains } = fixture;
  gains.set("a", { track: -6.02, trackPeak: 0.9, album: -12.04, albumPeak: 1 });
  gains.set("b", { track: 20, trackPeak: 0.5 });
  const music = fixture.open();
  music.start(album, "/Music/a");
  assert.equal(sound.volume, 1);
  music.playsAsLoud();
  assert.equal(music.loudness.value, "track");
  await until(() => Math.abs(sound.volume - 0.5) < 0.01);
  music.playsAsLoud();
  await until(() => Math.abs(sound.volume - 0.25) < 0.01);
  music.setVolume(0.4);
  assert.ok(Math.abs(sound.volume - 0.1) < 0.01);
  sound.knows(60);
  sound.reaches(45);
  // Twice as loud at most, as its peak is half of full scale.
  await until(() => Math.abs(spare.volume - 0.8) < 0.01);
  assert.ok(Math.abs(sound.volume - 0.1) < 0.01);
  assert.equal(fixture.open().loudness.value, "album");
});

Deno.test("the rest of the folder comes around a track without interrupting it", async () => {
  await using fixture = listen();
  const music = fixture.open();
  music.start([song("b")], "/Music/b");
  fixture.sound.knows(60);
  fixture.sound.currentTime = 30;
  const { src } = fixture.sound;
  music.surround(album);
  assert.deepEqual([fixture.sound.src, fixture.sound.currentTime], [src, 30]);
  music.next();
  assert.equal(fixture.plays(), "c");
  assert.equal(fixture.sound.paused, false);
  fixture.sound.knows(60);
  music.previous();
  assert.equal(fixture.plays(), "b");
  fixture.sound.knows(60);
  fixture.sound.currentTime = 10;
  music.previous();
  assert.deepEqual([fixture.plays(), fixture.sound.currentTime], ["b", 0]);
});

Deno.test("what can't be played is told of and passed over, until nothing is left to try", async () => {
  await using fixture = listen((path) => path.endsWith("c") ? 200 : 404);
  const music = fixture.open();
  music.start(album);
  fixture.sound.fails();
  await until(() => fixture.plays() === "b");
  fixture.sound.fails();
  await until(() => fixture.plays() === "c");
  assert.deepEqual(fixture.unplayable, ["a", "b"]);
  fixture.sound.knows(9);
  music.repeats("all");
  music.next();
  for (const count of [3, 4, 5]) {
    fixture.sound.fails();
    await until(() => fixture.conversions.length > 0 || fixture.plays() !== "c" || count < 5);
    if (fixture.plays() === "c") fixture.conversions.at(-1)?.onFailure();
    await until(() => fixture.unplayable.length === count);
  }
  await until(() => !music.isPlaying.value);
  assert.equal(fixture.sound.paused, true);
});

Deno.test("a track goes on where it was once the server is back", async () => {
  await using spoken = speakTo(() => assert.fail("the file is not asked for in another way"));
  const back = Promise.withResolvers<boolean>();
  const asked = Promise.withResolvers<void>();
  const away = { ok: false, status: 503, code: "unknown", message: "away" } as const;
  const sound = new SilentSound();
  const music = new Music({
    api: {
      ...{ tryDownload: assert.fail, ticket: assert.fail, exists: () => Promise.resolve(away) },
      addressOf: spoken.api.addressOf.bind(spoken.api),
      recover() {
        asked.resolve();
        return back.promise;
      },
    },
    ...{ sound, spare: new SilentSound(), infoOf: () => Promise.resolve(undefined) },
    convert: () => assert.fail("it can be decoded"),
    choices: memoryStorage(),
    kept: memoryStorage(),
    userId: 1,
    onUnplayable: () => assert.fail("it can be played"),
    onPlay: () => {},
  });
  music.start(album, "/Music/a");
  sound.knows(100);
  sound.reaches(42);
  sound.fails();
  await asked.promise;
  [sound.src, sound.paused] = ["", true];
  back.resolve(true);
  await until(() => sound.src.includes("/Music/a") && !sound.paused);
  sound.knows(100);
  assert.equal(sound.currentTime, 42);
});

Deno.test("where the cookie is not taken, a ticket opens the track where it was", async () => {
  await using spoken = speakTo(({ path, query }) => {
    if (path === "/api/ticket") return new Response("a-ticket");
    return new Response(null, { status: query.has("auth") ? 200 : 401 });
  });
  const sound = new SilentSound();
  const music = new Music({
    api: spoken.api,
    ...{ sound, spare: new SilentSound(), infoOf: () => Promise.resolve(undefined) },
    convert: () => assert.fail("it can be decoded"),
    choices: memoryStorage(),
    kept: memoryStorage(),
    userId: 1,
    onUnplayable: () => assert.fail("it can be played"),
    onPlay: () => {},
  });
  music.start(album, "/Music/a", 42);
  sound.fails();
  await until(() => sound.src.includes("auth=a-ticket"));
  sound.knows(100);
  assert.equal(sound.currentTime, 42);
});

Deno.test("a browser that refuses to play without a click waits for one", async () => {
  await using fixture = listen();
  const music = fixture.open();
  fixture.sound.refusal = "NotAllowedError";
  music.start(album);
  await until(() => !music.isPlaying.value);
  fixture.sound.refusal = null;
  music.toggle();
  assert.equal(fixture.sound.paused, false);
});

Deno.test("queue, place and choices outlive a reload, without a sound", async () => {
  await using fixture = listen();
  const music = fixture.open();
  music.setVolume(0.4);
  music.repeats("all");
  music.start(album, "/Music/b");
  fixture.sound.knows(100);
  music.seek(33);
  fixture.sound = new SilentSound();
  const again = fixture.open();
  assert.equal(again.queue.current.value?.entry.name, "b");
  assert.equal(again.queue.tracks.value.length, 3);
  assert.deepEqual(again.time.value, { at: 33, of: 0 });
  assert.equal(fixture.sound.paused, true);
  assert.deepEqual([again.volume.value, fixture.sound.volume], [0.4, 0.4]);
  assert.equal(again.queue.repeat.value, "all");
  fixture.sound.knows(100);
  assert.equal(fixture.sound.currentTime, 33);
  again.close();
  fixture.sound = new SilentSound();
  assert.equal(fixture.open().queue.current.value, null);
});

Deno.test("nonsense in the storage, and the queue of another user, are not taken", async () => {
  await using fixture = listen();
  const nonsense = ["{", "[]", "[1]", '[{"path":"x","name":"x"}]', "null", '"a"'];
  for (const text of nonsense) {
    fixture.kept.setItem("music.1", text);
    fixture.choices.setItem("music", text);
    const music = fixture.open();
    assert.equal(music.queue.current.value, null, text);
    assert.equal(music.volume.value, 1, text);
  }
  fixture.kept.setItem("music.2", JSON.stringify(album));
  assert.equal(fixture.open().queue.current.value, null);
});

Deno.test("a position is kept within the track, and a volume between silence and all", async () => {
  await using fixture = listen();
  const music = fixture.open();
  music.start(album);
  fixture.sound.knows(10);
  music.seek(99);
  assert.equal(fixture.sound.currentTime, 10);
  music.seek(-5);
  assert.equal(fixture.sound.currentTime, 0);
  music.setVolume(7);
  assert.equal(fixture.sound.volume, 1);
  music.mute(true);
  assert.deepEqual([fixture.sound.muted, music.volume.value], [true, 1]);
  music.setVolume(0.5);
  assert.equal(fixture.sound.muted, false);
});

Deno.test("the last track that is removed ends the music", async () => {
  await using fixture = listen();
  const music = fixture.open();
  music.start(album.slice(0, 2));
  const ids = music.queue.tracks.value.map(({ id }) => id);
  music.remove(ids[0] ?? 0);
  assert.equal(fixture.plays(), "b");
  assert.equal(fixture.sound.paused, false);
  music.remove(ids[1] ?? 0);
  assert.deepEqual([fixture.sound.src, fixture.sound.paused], ["", true]);
});

Deno.test("the music of a folder is in its order, window by window, and nothing else is", async () => {
  const names = Array.from({ length: 2500 }, (_, index) => `${index}`.padStart(4, "0"));
  await using spoken = speakTo(({ path, query }) => {
    if (path.endsWith("closed")) return new Response(null, { status: 403 });
    const answer = folderAnswer(names, query, "/Music");
    const items = answer.items?.map((entry) =>
      Number(entry.name) % 2 === 0 ? { ...entry, type: "audio" as const } : entry
    );
    return Response.json({ ...answer, items });
  });
  const found = await musicIn(spoken.api, parsePath("/Music").path, { by: "size", asc: false });
  assert.ok(found.ok);
  assert.equal(found.value.length, 1250);
  assert.equal(found.value[0]?.name, "2498");
  assert.equal(spoken.heard.length, 3);
  assert.equal(spoken.heard[0]?.query.get("sort"), "size");

  const folder: Entry = { ...fileNamed("closed"), isDir: true, type: "listing" };
  const refused = await musicOf(spoken.api, [song("a"), folder], () => undefined);
  assert.ok(!refused.ok && refused.status === 403);
  const files = await musicOf(spoken.api, [song("a"), fileNamed("b.txt")], () => undefined);
  assert.deepEqual(files.ok && files.value.map(({ name }) => name), ["a"]);
});

Deno.test("times and titles of tracks are written, and said, as people do", () => {
  assert.equal(spokenTime(3729.6, "en"), "1 hour, 2 minutes, 9 seconds");
  assert.equal(spokenTime(0, "de"), "0 Sekunden");
  assert.deepEqual([0, 7.9, 187, 3729, NaN].map(formatTime), [
    ...["0:00", "0:07", "3:07", "1:02:09"],
    "0:00",
  ]);
  const track = { name: "#%?日本 `.mp3", extension: ".mp3", path: "/Music/Live/x.mp3" };
  assert.equal(titleOf(track), "#%?日本 `");
  assert.equal(titleOf({ name: ".mp3", extension: ".mp3" }), ".mp3");
  assert.equal(folderOf(track), "Live");
  assert.equal(folderOf({ path: "/x.mp3" }), "");
});
