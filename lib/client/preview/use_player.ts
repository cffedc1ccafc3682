import { type RefObject, useEffect, useRef, useState } from "react";
import { parsePath } from "../../shared/path.ts";
import type { Resource } from "../../shared/api_types.ts";
import { useTranslation } from "../core/use_translation.ts";
import type { PreviewSource, SourceApi } from "./preview_source.ts";
import { useApi } from "../core/use_site.ts";
import { path } from "../api/api_path.ts";

/** The interval of a keep-alive call during playback, so that the session does not expire. */
const SIGN_OF_LIFE_MS = 4 * 60_000;

/** The props of the media element. */
export interface Player {
  player: RefObject<HTMLVideoElement>;
  /** The subtitles of a video, once they are known. */
  tracks: Track[];
  onLoadedMetadata: () => void;
  onTimeUpdate: () => void;
  onError: () => void;
}

/** Resumes playback at the same position when the address changes. */
export function usePlayer(entry: Resource, source: PreviewSource): Player {
  const api = useApi();
  const { language } = useTranslation();
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

  return {
    player,
    tracks: tracksOf(entry.path, subtitles, language, api),
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

/** Subtitle tracks for the browser's player. */
export interface Track {
  address: string;
  label: string;
  /** BCP 47; "" when the file's name has none. */
  language: string;
  /** Shown by default: the first in the user's language. */
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

/** The language of a part of a file name; null when it is none. */
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
