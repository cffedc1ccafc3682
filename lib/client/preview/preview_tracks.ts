import { parsePath } from "../../shared/path.ts";
import { path } from "../api/api_path.ts";
import type { SourceApi } from "./preview_source.ts";

/** Subtitles as the browser's player takes them. */
export interface Track {
  address: string;
  label: string;
  /** BCP 47; "" when the file's name does not tell. */
  language: string;
  /** Shown without being chosen: the first in the user's language. */
  isDefault: boolean;
}

/**
 * The subtitles of a film. Their language is told by their names: "film.pt-BR.srt", "film.en.vtt".
 *
 * @param film the path of the film
 * @param subtitles the paths of its subtitles
 * @param language the user's
 */
export function tracksOf(
  film: string,
  subtitles: readonly string[],
  language: string,
  api: Pick<SourceApi, "address">,
): Track[] {
  const stem = film.slice(film.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const tracks = subtitles.map((subtitle) => {
    const name = subtitle.slice(subtitle.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
    const marks = name.slice(name.startsWith(stem) ? stem.length : 0).split(/[.\s_()[\]]+/);
    const named = marks.map(languageOf).find((found) => found !== null) ?? null;
    return {
      address: api.address(path`/api/subtitle${parsePath(subtitle).path}`),
      label: named ? nameOf(named, language) : name,
      language: named ?? "",
      isDefault: false,
    };
  });
  const own = tracks.find((track) => base(track.language) === base(language)) ??
    (tracks.length === 1 && tracks[0]?.language === "" ? tracks[0] : undefined);
  return tracks.map((track) => ({ ...track, isDefault: track === own }));
}

/** The language that a part of a name stands for; null when it is none. */
function languageOf(mark: string): string | null {
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
