import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { parsePath } from "../../../../shared/path.ts";
import type { Resource } from "../../../../shared/schemas/entry.ts";
import {
  type BrowserStorage,
  keepIn,
  openLocalStorage,
} from "../../../base/core/browser_storage.ts";
import type { PreviewSource, SourceApi } from "../preview_source.ts";
import { useApi } from "../../../base/core/use_site.ts";

/** The interval of a keep-alive call during playback, so that the session does not expire. */
const SIGN_OF_LIFE_MS = 4 * 60_000;

/** The props of the media element. */
interface Player {
  player: RefObject<HTMLVideoElement>;
  /** The subtitles of a video, once they are known. */
  tracks: Track[];
  /** The index of the subtitles that are shown; -1 for none. */
  shown: number;
  /** Shows subtitles by their index, -1 for none, and remembers that. */
  show: (index: number) => void;
  onLoadedMetadata: () => void;
  onTimeUpdate: () => void;
  onError: () => void;
}

/** Resumes playback at the same position when the address changes. */
export function usePlayer(entry: Resource, source: PreviewSource): Player {
  const api = useApi();
  const { language } = useTranslation().i18n;
  const player = useRef<HTMLVideoElement>(null);
  const resume = useRef<{ at: number; plays: boolean } | null>(null);
  const heard = useRef(Date.now());
  const [subtitles, setSubtitles] = useState(entry.subtitles ?? []);
  const { path } = parsePath(entry.path);

  useEffect(() => {
    if (entry.type !== "video" || entry.subtitles) return;
    const leaving = new AbortController();
    void api.resource(path, { offset: 0, limit: 0, signal: leaving.signal })
      .then((answer) => answer.ok && setSubtitles(answer.value.subtitles ?? []));
    return () => leaving.abort();
  }, [path]);

  const tracks = tracksOf(entry.path, subtitles, language, api);
  const [choice, setChoice] = useState(() => readChoice(openLocalStorage()));
  const shown = shownTrack(tracks, choice);
  const show = (index: number) => {
    const chosen = choiceOf(tracks[index]);
    keepIn(openLocalStorage(), CHOICE, chosen);
    setChoice(chosen);
  };
  useEffect(() => {
    const { textTracks } = player.current ?? {};
    if (!textTracks) return;
    // Browsers choose none by themselves when the tracks come after the video.
    for (const [index, track] of [...textTracks].entries()) {
      track.mode = index === shown ? "showing" : "disabled";
    }
    // The player's own menu.
    const follow = () => {
      const now = [...textTracks].findIndex(({ mode }) => mode === "showing");
      if (now !== shown && textTracks.length === tracks.length) show(now);
    };
    textTracks.addEventListener("change", follow);
    return () => textTracks.removeEventListener("change", follow);
  }, [path, shown, tracks.length]);

  return {
    player,
    tracks,
    shown,
    show,
    onLoadedMetadata() {
      source.loaded();
      const { current } = player;
      if (!current || !resume.current) return;
      current.currentTime = resume.current.at;
      if (resume.current.plays) void current.play().catch(() => {});
      resume.current = null;
    },
    onTimeUpdate() {
      if (Date.now() - heard.current < SIGN_OF_LIFE_MS) return;
      heard.current = Date.now();
      void api.exists(path);
    },
    onError() {
      const { current } = player;
      if (current) resume.current = { at: current.currentTime, plays: !current.paused };
      void source.failed();
    },
  };
}

/** Where the browser keeps the choice: "" for none, a language, or {@linkcode UNNAMED}. */
export const CHOICE = "subtitles";

/** The choice of subtitles whose language nothing tells. */
const UNNAMED = "*";

/** The choice of the user; "", no subtitles, until there is one. */
export function readChoice(storage: Pick<BrowserStorage, "getItem">): string {
  return storage.getItem(CHOICE) ?? "";
}

/** The choice that a track stands for; "" for none. */
export function choiceOf(track: Pick<Track, "language"> | undefined): string {
  return track ? track.language || UNNAMED : "";
}

/**
 * The index of the track to show: in the chosen language, else in the user's own, if the user wants
 * subtitles at all; -1 for none.
 */
export function shownTrack(
  tracks: readonly Pick<Track, "language" | "isDefault">[],
  choice: string,
): number {
  if (choice === "") return -1;
  const same = tracks.findIndex((track) => choiceOf(track) === choice);
  if (same !== -1) return same;
  const near = tracks.findIndex(({ language }) => base(language) === base(choice));
  return near !== -1 ? near : tracks.findIndex(({ isDefault }) => isDefault);
}

/** Subtitle tracks for the browser's player. */
export interface Track {
  address: string;
  /** "" for subtitles that are called like the video. */
  label: string;
  /** BCP 47; "" when the file's name has none. */
  language: string;
  /** The first in the user's language: shown where the chosen language is missing. */
  isDefault: boolean;
}

/**
 * The subtitle tracks of a video. The language comes from the file name: "film.pt-BR.srt",
 * "film.en.vtt".
 *
 * @param film the path of the film
 * @param subtitles the paths of its subtitles
 * @param language the user's
 */
export function tracksOf(
  film: string,
  subtitles: readonly string[],
  language: string,
  api: Pick<SourceApi, "addressOf">,
): Track[] {
  const stem = film.slice(film.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const tracks = subtitles.map((subtitle) => {
    const name = subtitle.slice(subtitle.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
    const own = name.startsWith(stem) ? name.slice(stem.length).replace(/^[.\s_-]+/, "") : name;
    const marks = own.split(/[.\s_()[\]]+/);
    const named = marks.map(languageOf).find((found) => found !== null) ?? null;
    return {
      address: api.addressOf("GET /api/subtitle/{path}", {
        params: { path: parsePath(subtitle).path },
      }),
      label: named ? nameOf(named, language) : own,
      language: named ?? "",
      isDefault: false,
    };
  });
  const own = tracks.find((track) => base(track.language) === base(language)) ??
    (tracks.length === 1 && tracks[0]?.language === "" ? tracks[0] : undefined);
  return tracks.map((track) => ({ ...track, isDefault: track === own }));
}

/** Languages that file names may have in words, in English or in the language itself. */
const IN_WORDS =
  "ar bg ca cs da de el en es et fi fr he hi hr hu id is it ja ko lt lv nl no pl pt " +
  "ro ru sk sl sr sv th tr uk vi zh";

let words: ReadonlyMap<string, string> | undefined;

function languagesInWords(): ReadonlyMap<string, string> {
  return words ??= new Map(
    IN_WORDS.split(" ").flatMap((tag) => [
      [nameOf(tag, "en").toLowerCase(), tag],
      [nameOf(tag, tag).toLowerCase(), tag],
    ]),
  );
}

/** The language of a part of a file name; null when it is none. */
function languageOf(mark: string): string | null {
  const inWords = languagesInWords().get(mark.toLowerCase());
  if (inWords) return inWords;
  if (!/^[a-z]{2,3}([-_][a-z]{2,4})?$/i.test(mark)) return null;
  try {
    const [tag = ""] = Intl.getCanonicalLocales(mark.replace("_", "-"));
    const known = new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(tag);
    return known === undefined ? null : tag;
  } catch {
    return null;
  }
}

function nameOf(tag: string, language: string): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(tag) ?? tag;
}

function base(tag: string): string {
  return tag.split("-")[0]?.toLowerCase() || "none";
}
