import { type EntryPath, parsePath } from "../../../../shared/path.ts";
import type { StreamInfo } from "../../../../shared/schemas/stream.ts";
import type { BrowserStorage } from "../../../base/core/browser_storage.ts";
import type { SourceApi } from "../preview_source.ts";

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

/** Subtitles of a film. */
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

/**
 * The subtitles inside of a film that are text, as tracks.
 *
 * @param subtitles all of them, in the order of the file
 * @param language the user's
 */
export function innerTracks(
  film: EntryPath,
  subtitles: StreamInfo["subtitles"],
  language: string,
  api: Pick<SourceApi, "addressOf">,
): Track[] {
  return subtitles.flatMap(({ language: told = "", title, isText }, subtitle) => {
    if (!isText) return [];
    const tag = languageOf(told) ?? "";
    const name = tag && nameOf(tag, language);
    return [{
      address: api.addressOf("GET /api/stream/{part}/{path}", {
        params: { part: "subtitle", path: film },
        query: { subtitle },
      }),
      label: title && name ? `${name} (${title})` : title ?? (name || told),
      language: tag,
      isDefault: base(tag) === base(language),
    }];
  });
}

/**
 * The names of the subtitles inside of a film that are pictures, which no browser shows; "" for one
 * without a name.
 *
 * @param language the user's
 */
export function pictureTracks(subtitles: StreamInfo["subtitles"], language: string): string[] {
  return subtitles.filter(({ isText }) => !isText).map(({ language: told = "", title = "" }) => {
    const tag = languageOf(told);
    return tag ? nameOf(tag, language) : told || title;
  });
}

/**
 * The name of an audio track.
 *
 * @param language the user's
 */
export function audioName(
  { language: told = "", title, channels = 0 }: StreamInfo["audio"][number],
  language: string,
): string {
  const tag = languageOf(told);
  const name = tag ? nameOf(tag, language) : told;
  // From six channels on, and of three, one is usually for the bass.
  const hasBass = channels === 3 || channels > 5;
  const layout = channels > 2 ? hasBass ? `${channels - 1}.1` : `${channels}.0` : "";
  return [title && name ? `${name} (${title})` : title ?? name, layout].filter(Boolean).join(" ");
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
