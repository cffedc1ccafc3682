import assert from "node:assert/strict";
import { memoryStorage } from "../../../../lib/client/core/browser_storage.ts";
import { Music } from "../../../../lib/client/music/music.ts";
import { formatTime, type Sound } from "../../../../lib/client/music/loaded_track.ts";
import { musicIn, musicOf } from "../../../../lib/client/music/folder_music.ts";
import { folderOf, titleOf } from "../../../../lib/client/music/media_session.ts";
import { parsePath } from "../../../../lib/shared/path.ts";
import type { Entry } from "../../../../lib/shared/api_types.ts";
import { fileNamed, folderOf as folderAnswer, speakTo, until } from "../support.ts";

/** The browser's player, without sound. */
class SilentSound extends EventTarget implements Sound {
  src = "";
  currentTime = 0;
  duration = NaN;
  paused = true;
  volume = 1;
  muted = false;
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
  const stage = {
    ...spoken,
    sound,
    choices: memoryStorage(),
    kept: memoryStorage(),
    unplayable: [] as string[],
    open: (): Music =>
      new Music({
        api: spoken.api,
        sound: stage.sound,
        choices: stage.choices,
        kept: stage.kept,
        userId: 1,
        onUnplayable: ({ name }) => void stage.unplayable.push(name),
        onPlay: () => {},
      }),
    plays: () => decodeURIComponent(/\/Music\/(\w+)/.exec(stage.sound.src)?.[1] ?? ""),
  };
  return stage;
}

Deno.test("a track is followed by the next one, and the last by nothing", async () => {
  await using stage = listen();
  const music = stage.open();
  music.start(album, "/Music/b");
  stage.sound.knows(60);
  assert.equal(stage.plays(), "b");
  assert.ok(music.isPlaying.value);
  stage.sound.ends();
  assert.equal(stage.plays(), "c");
  assert.ok(!stage.sound.paused && music.isPlaying.value);
  stage.sound.knows(60);
  stage.sound.ends();
  assert.equal(stage.plays(), "c");
  assert.equal(music.isPlaying.value, false);
});

Deno.test("a track that repeats begins anew, without another request", async () => {
  await using stage = listen();
  const music = stage.open();
  music.start(album, "/Music/b");
  music.repeats("one");
  stage.sound.knows(60);
  const { src } = stage.sound;
  stage.sound.ends();
  assert.equal(stage.sound.src, src);
  assert.equal(stage.sound.currentTime, 0);
  assert.equal(stage.sound.paused, false);
});

Deno.test("the rest of the folder comes around a track without interrupting it", async () => {
  await using stage = listen();
  const music = stage.open();
  music.start([song("b")], "/Music/b");
  stage.sound.knows(60);
  stage.sound.currentTime = 30;
  const { src } = stage.sound;
  music.surround(album);
  assert.deepEqual([stage.sound.src, stage.sound.currentTime], [src, 30]);
  music.next();
  assert.equal(stage.plays(), "c");
  assert.equal(stage.sound.paused, false);
  stage.sound.knows(60);
  music.previous();
  assert.equal(stage.plays(), "b");
  stage.sound.knows(60);
  stage.sound.currentTime = 10;
  music.previous();
  assert.deepEqual([stage.plays(), stage.sound.currentTime], ["b", 0]);
});

Deno.test("what can't be played is told of and passed over, until nothing is left to try", async () => {
  await using stage = listen((path) => path.endsWith("c") ? 200 : 404);
  const music = stage.open();
  music.start(album);
  stage.sound.fails();
  await until(() => stage.plays() === "b");
  stage.sound.fails();
  await until(() => stage.plays() === "c");
  assert.deepEqual(stage.unplayable, ["a", "b"]);
  stage.sound.knows(9);
  music.repeats("all");
  music.next();
  for (const count of [3, 4, 5]) {
    stage.sound.fails();
    await until(() => stage.unplayable.length === count);
  }
  await until(() => !music.isPlaying.value);
  assert.equal(stage.sound.paused, true);
});

Deno.test("where the cookie is not taken, a ticket opens the track where it was", async () => {
  await using spoken = speakTo(({ path, query }) => {
    if (path === "/api/ticket") return new Response("a-ticket");
    return new Response(null, { status: query.has("auth") ? 200 : 401 });
  });
  const sound = new SilentSound();
  const music = new Music({
    api: spoken.api,
    sound,
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
  await using stage = listen();
  const music = stage.open();
  stage.sound.refusal = "NotAllowedError";
  music.start(album);
  await until(() => !music.isPlaying.value);
  stage.sound.refusal = null;
  music.toggle();
  assert.equal(stage.sound.paused, false);
});

Deno.test("queue, place and choices outlive a reload, without a sound", async () => {
  await using stage = listen();
  const music = stage.open();
  music.setVolume(0.4);
  music.repeats("all");
  music.start(album, "/Music/b");
  stage.sound.knows(100);
  music.seek(33);
  stage.sound = new SilentSound();
  const again = stage.open();
  assert.equal(again.queue.current.value?.entry.name, "b");
  assert.equal(again.queue.tracks.value.length, 3);
  assert.deepEqual(again.time.value, { at: 33, of: 0 });
  assert.equal(stage.sound.paused, true);
  assert.deepEqual([again.volume.value, stage.sound.volume], [0.4, 0.4]);
  assert.equal(again.queue.repeat.value, "all");
  stage.sound.knows(100);
  assert.equal(stage.sound.currentTime, 33);
  again.close();
  stage.sound = new SilentSound();
  assert.equal(stage.open().queue.current.value, null);
});

Deno.test("nonsense in the storage, and the queue of another user, are not taken", async () => {
  await using stage = listen();
  const nonsense = ["{", "[]", "[1]", '[{"path":"x","name":"x"}]', "null", '"a"'];
  for (const text of nonsense) {
    stage.kept.setItem("music.1", text);
    stage.choices.setItem("music", text);
    const music = stage.open();
    assert.equal(music.queue.current.value, null, text);
    assert.equal(music.volume.value, 1, text);
  }
  stage.kept.setItem("music.2", JSON.stringify(album));
  assert.equal(stage.open().queue.current.value, null);
});

Deno.test("a position is kept within the track, and a volume between silence and all", async () => {
  await using stage = listen();
  const music = stage.open();
  music.start(album);
  stage.sound.knows(10);
  music.seek(99);
  assert.equal(stage.sound.currentTime, 10);
  music.seek(-5);
  assert.equal(stage.sound.currentTime, 0);
  music.setVolume(7);
  assert.equal(stage.sound.volume, 1);
  music.mute(true);
  assert.deepEqual([stage.sound.muted, music.volume.value], [true, 1]);
  music.setVolume(0.5);
  assert.equal(stage.sound.muted, false);
});

Deno.test("the last track that is removed ends the music", async () => {
  await using stage = listen();
  const music = stage.open();
  music.start(album.slice(0, 2));
  const ids = music.queue.tracks.value.map(({ id }) => id);
  music.remove(ids[0] ?? 0);
  assert.equal(stage.plays(), "b");
  assert.equal(stage.sound.paused, false);
  music.remove(ids[1] ?? 0);
  assert.deepEqual([stage.sound.src, stage.sound.paused], ["", true]);
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

Deno.test("times and titles of tracks are written as people do", () => {
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
