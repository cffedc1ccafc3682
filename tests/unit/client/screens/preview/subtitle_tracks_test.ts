import assert from "node:assert/strict";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import {
  audioName,
  CHOICE,
  choiceOf,
  pictureTracks,
  readChoice,
  shownTrack,
  tracksOf,
} from "../../../../../lib/client/screens/preview/film/subtitle_tracks.ts";
import { speakTo } from "../../support.ts";

Deno.test("subtitles are named by their language, and the user's own are shown", async () => {
  await using spoken = speakTo(() => new Response());
  const subtitles = [
    "/x/film.de.srt",
    "/x/film.pt-BR.forced.vtt",
    "/x/film.srt",
    "/x/Subs/2_English.ass",
  ];
  const tracks = tracksOf("/x/film.mkv", subtitles, "pt", spoken.api);
  assert.deepEqual(tracks.map(({ language }) => language), ["de", "pt-BR", "", "en"]);
  assert.deepEqual(tracks.map(({ isDefault }) => isDefault), [false, true, false, false]);
  assert.deepEqual(tracks.map(({ label }) => label), [
    "alemão",
    "português (Brasil)",
    "",
    "inglês",
  ]);
  assert.equal(new URL(tracks[0]?.address ?? "").pathname, "/api/subtitle/x/film.de.srt");
});

Deno.test("the only subtitles are shown when nothing tells their language", async () => {
  await using spoken = speakTo(() => new Response());
  const shown = (...subtitles: string[]) =>
    tracksOf("/film.mkv", subtitles, "en", spoken.api).map(({ isDefault }) => isDefault);
  assert.deepEqual(shown("/film.srt"), [true]);
  assert.deepEqual(shown("/film.fr.srt"), [false]);
  assert.deepEqual(shown("/film.srt", "/film.commentary.srt"), [false, false]);
});

Deno.test("what a file name tells besides the film's is the label", async () => {
  await using spoken = speakTo(() => new Response());
  const labels = (...subtitles: string[]) =>
    tracksOf("/x/Holiday 2025.mp4", subtitles, "en", spoken.api).map(({ label }) => label);
  assert.deepEqual(
    labels(
      "/x/Holiday 2025.srt",
      "/x/Holiday 2025.commentary.srt",
      "/x/Holiday 2025 - Deutsch.srt",
    ),
    ["", "commentary", "German"],
  );
});

Deno.test("subtitles that are pictures are named as well as can be", () => {
  const isText = false;
  const codec = "hdmv_pgs_subtitle";
  const names = pictureTracks([
    ...[{ codec, isText, language: "ger" }, { codec, isText, title: "Signs" }],
    ...[{ codec, isText }, { codec: "subrip", isText: true, language: "eng" }],
    { codec, isText, language: "zz9" },
  ], "en");
  assert.deepEqual(names, ["German", "Signs", "", "zz9"]);
});

Deno.test("no subtitles are shown until they are chosen; then they are in every film", () => {
  const storage = memoryStorage();
  const en = { language: "en", isDefault: true };
  const de = { language: "de", isDefault: false };
  const unnamed = { language: "", isDefault: false };
  assert.equal(shownTrack([en, de], readChoice(storage)), -1);
  storage.setItem(CHOICE, choiceOf(de));
  const choice = readChoice(storage);
  assert.equal(shownTrack([en, de], choice), 1);
  assert.equal(shownTrack([en, { language: "de-AT", isDefault: false }], choice), 1);
  assert.equal(shownTrack([unnamed, en], choice), 1, "the user's own, where the chosen is missing");
  assert.equal(shownTrack([unnamed], choice), -1);
  assert.equal(shownTrack([de, unnamed], choiceOf(unnamed)), 1);
  assert.equal(shownTrack([], choice), -1);
  assert.equal(choiceOf(undefined), "");
});

Deno.test("an audio track is called by its language, its title and its channels", () => {
  const named = (channels: number, more = {}) =>
    audioName({ codec: "aac", channels, ...more }, "en");
  const layouts = [1, 2, 3, 4, 5, 6, 7, 8].map((channels) => named(channels));
  assert.deepEqual(layouts, ["", "", "2.1", "4.0", "5.0", "5.1", "6.1", "7.1"]);
  assert.equal(named(6, { language: "deu", title: "Commentary" }), "German (Commentary) 5.1");
  assert.equal(named(2, { language: "??" }), "??");
});
