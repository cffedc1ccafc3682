import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { parsePath } from "../../../../shared/path.ts";
import type { Entry, Resource } from "../../../../shared/schemas/entry.ts";
import type { EntryType } from "../../../../shared/schemas/choices/choices.ts";
import { openLocalStorage } from "../../../base/core/browser_storage.ts";
import { usePage } from "../../../base/core/page.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { NeighbourFinder } from "../preview_neighbours.ts";
import type { PreviewSource } from "../preview_source.ts";
import type { FullScreen } from "../use_screen.ts";
import { leaveAbove } from "./above.ts";
import { FilmPlayback } from "./film_playback.ts";
import { openDecoder } from "./how_to_play.ts";
import { filmKey, readFilmChoices } from "./kept_films.ts";

/** Plays a film in an element, as long as both are there. */
export function useFilm(
  entry: Resource,
  source: PreviewSource,
  autoPlay: boolean,
): { film: FilmPlayback; element: RefObject<HTMLVideoElement> } {
  const api = useApi();
  const { config, user, share } = usePage().data;
  const element = useRef<HTMLVideoElement>(null);
  const film = useMemo(() => {
    const storage = openLocalStorage();
    return new FilmPlayback({
      ...{ api, source, storage, autoPlay },
      path: parsePath(entry.path).path,
      name: entry.name,
      decoder: openDecoder(),
      mayStream: config.EnableStreams,
      key: filmKey(share ? { share: share.hash } : { user: user?.id ?? 0 }, entry),
      choices: readFilmChoices(storage),
    });
  }, [source]);
  useEffect(() => {
    if (element.current) film.attach(element.current);
    return () => film.leave();
  }, [film]);
  return { film, element };
}

/** What is seen of a film that plays. */
export interface FilmState {
  /** The position and the duration, in seconds; a duration of 0 is not known yet. */
  at: number;
  of: number;
  isPlaying: boolean;
  /** It waits for what comes next. */
  isLoading: boolean;
  hasEnded: boolean;
  rate: number;
  /** What is loaded: from and to, in seconds. */
  loaded: readonly (readonly [from: number, to: number])[];
  /** It lies over other windows. */
  isAbove: boolean;
}

/** The events after which a film is in another state. */
const CHANGES = [
  ...["play", "pause", "playing", "waiting", "timeupdate", "durationchange", "seeking", "seeked"],
  ...["progress", "ended", "ratechange", "emptied", "loadstart", "canplay", "loadedmetadata"],
  ...["enterpictureinpicture", "leavepictureinpicture"],
];

/** The state of a film, which is followed. */
export function useFilmState(
  film: FilmPlayback,
  element: RefObject<HTMLVideoElement>,
): { state: FilmState; look: () => void } {
  const [state, setState] = useState<FilmState>(() => stateOf(film, null));
  const look = () => setState(stateOf(film, element.current));
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    look();
    for (const change of CHANGES) current.addEventListener(change, look, { signal });
    return () => leaving.abort();
  }, [film]);
  // The duration is known by the tracks before anything plays.
  useEffect(look, [film.info.value, film.plan.value, film.resumedAt.value]);
  return { state, look };
}

function stateOf(film: FilmPlayback, element: HTMLVideoElement | null): FilmState {
  const { buffered, readyState = 0, ended = false, playbackRate = 1 } = element ?? {};
  const ranges = Array.from({ length: buffered?.length ?? 0 }, (_, index) => index);
  return {
    at: film.position,
    of: film.duration,
    isPlaying: film.isPlaying && !ended,
    isLoading: film.isPlaying && !ended && readyState < 3,
    hasEnded: ended,
    rate: playbackRate,
    loaded: ranges.map((index) =>
      [buffered?.start(index) ?? 0, buffered?.end(index) ?? 0] as const
    ),
    isAbove: element !== null && document.pictureInPictureElement === element,
  };
}

/** A film is over other windows, or in full screen, or neither: the later one ends the other. */
export function useAboveOrFull(isAbove: boolean, fullScreen: FullScreen): void {
  useEffect(() => {
    if (isAbove) fullScreen.leave();
  }, [isAbove]);
  useEffect(() => {
    if (fullScreen.isOn) void leaveAbove();
  }, [fullScreen.isOn]);
}

/** The part of `screen.orientation` that turns a phone, which some browsers lack. */
interface Turning {
  lock?: (orientation: "landscape") => Promise<void>;
}

/** Turns a phone on its side while a wide film is in full screen, whose end turns it back. */
export function useTurnedPhone({ current }: RefObject<HTMLVideoElement>, isFull: boolean): void {
  const isWide = current !== null && current.videoWidth > current.videoHeight;
  useEffect(() => {
    if (!isFull || !isWide || !matchMedia("(pointer: coarse)").matches) return;
    const orientation = screen.orientation as (ScreenOrientation & Turning) | undefined;
    // Refused by computers.
    void orientation?.lock?.("landscape").catch(() => {});
  }, [isFull, isWide]);
}

const FILMS: ReadonlySet<EntryType> = new Set<EntryType>(["video"]);

/** The next film of the folder in the natural order of names; null for none. */
export function useNextFilm(entry: Entry): Entry | null {
  const api = useApi();
  const [next, setNext] = useState<Entry | null>(null);
  useEffect(() => {
    let isOver = false;
    const finder = new NeighbourFinder({
      api,
      order: () => ({ sorting: { by: "name", asc: true } }),
    });
    const find = async () => {
      await finder.follow(parsePath(entry.path).path);
      const found = await finder.nextOf(FILMS, entry.name);
      if (!isOver) setNext(found);
    };
    void find();
    return () => {
      isOver = true;
      finder.forget();
    };
  }, [entry.path]);
  return next;
}
