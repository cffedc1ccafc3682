import assert from "node:assert/strict";
import { join } from "node:path";
import { findSubtitles } from "../../../../lib/server/files/listing/find_subtitles.ts";
import { plant, temporaryFolder, type Tree } from "../../../support/disks/files.ts";
import { deny } from "../../../support/data/rules.ts";
import { at, enter } from "../../core/access/visitors.ts";

async function setUp(tree: Tree) {
  const folder = await temporaryFolder();
  await plant(folder.path, tree);
  return {
    root: folder.path,
    find(path: string, as: Parameters<typeof enter>[1] = {}) {
      const access = enter(folder.path, as);
      return findSubtitles(access, access.stat(at(path)));
    },
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

Deno.test("subtitles that the viewer may not know of are not found", async () => {
  await using s = await setUp({
    "film.mkv": "",
    "film.srt": "",
    "film.de.srt": "",
    ".film.srt": "",
    Subs: { "film.vtt": "" },
  });
  Deno.symlinkSync("/etc/hosts", join(s.root, "film.out.srt"));
  const as = { rules: [deny("/film.de.srt"), deny("/Subs")] };
  assert.deepEqual(s.find("/film.mkv", as), ["/film.srt"]);
  const inSubs = { rules: [deny("/Subs/film.vtt")] };
  assert.deepEqual(s.find("/film.mkv", inSubs), ["/film.de.srt", "/film.srt"]);
});

Deno.test("subtitles are found beside the video, in any language and spelling", async () => {
  const names = ["Film.srt", "film.en.vtt", "film_de.ass", "film-fr.SSA", "film (forced).srt"];
  const others = ["filmed.srt", "film.txt", "my film.srt", "srt", "film.srt.bak"];
  await using s = await setUp({
    "film.mkv": "",
    "film.folder.srt": {},
    ...Object.fromEntries([...names, ...others].map((name) => [name, ""])),
  });
  assert.deepEqual(s.find("/film.mkv")?.toSorted(), names.map((name) => `/${name}`).sort());
});

Deno.test("subtitles belong to the video with the longest name that fits", async () => {
  await using s = await setUp({
    "show.mkv": "",
    "show.s01e01.mkv": "",
    "show.s01e01.srt": "",
    "show.s01e01.en.srt": "",
    "show.srt": "",
    "show.s01e02.srt": "",
  });
  assert.deepEqual(s.find("/show.s01e01.mkv"), ["/show.s01e01.en.srt", "/show.s01e01.srt"]);
  assert.deepEqual(s.find("/show.mkv"), ["/show.s01e02.srt", "/show.srt"]);
});

Deno.test("subtitles are found in a folder for them, and in one of the video's own there", async () => {
  await using s = await setUp({
    movies: {
      "Film (2020).mkv": "",
      "Other.mkv": "",
      Subs: {
        "Film (2020).en.srt": "",
        "Other.srt": "",
        "2_English.srt": "",
        "film (2020)": { "2_English.srt": "", "3_German.srt": "", "cover.jpg": "" },
        "Other": { "2_French.srt": "" },
      },
      subtitles: { "film (2020).vtt": "" },
      extras: { "Film (2020).srt": "" },
    },
  });
  assert.deepEqual(s.find("/movies/Film (2020).mkv")?.toSorted(), [
    "/movies/Subs/Film (2020).en.srt",
    "/movies/Subs/film (2020)/2_English.srt",
    "/movies/Subs/film (2020)/3_German.srt",
    "/movies/subtitles/film (2020).vtt",
  ]);
});

Deno.test("a shared video brings nothing from beside it, and a folder too large is left to others", async () => {
  await using s = await setUp({ "film.mkv": "", "film.srt": "" });
  assert.deepEqual(s.find("/", { base: at("/film.mkv") }), []);
  const access = enter(s.root);
  assert.equal(findSubtitles(access, access.stat(at("/film.mkv")), () => false), null);
});
