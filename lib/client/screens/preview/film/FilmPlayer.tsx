import { Pause, Play } from "lucide";
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../../../components/Icon.tsx";
import { displayName } from "../../../../shared/entry_names.ts";
import { nameOf, parentOf, parsePath } from "../../../../shared/path.ts";
import type { Entry, Resource } from "../../../../shared/schemas/entry.ts";
import { usePage } from "../../../base/core/page.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { systemKeys, type SystemPlace, useSystemPlayer } from "../player/system_player.ts";
import { bigPreview, type PreviewSource } from "../preview_source.ts";
import { type FullScreen, keepAwake } from "../use_screen.ts";
import { FilmBar } from "./FilmBar.tsx";
import { filmKey } from "./film_keys.ts";
import { FilmNotice, NextCard } from "./FilmNotices.tsx";
import type { FilmPlayback } from "./film_playback.ts";
import { useAboveOrFull, useFilm, useFilmState, useNextFilm, useTurnedPhone } from "./use_film.ts";
import { useSubtitles } from "./use_subtitles.ts";
import { useTaps } from "./use_taps.ts";

/** What a film has of the preview around it. */
export interface FilmFrame {
  fullScreen: FullScreen;
  /** Takes keys first while a film is open. @returns whether the key was one of the film's */
  keys: RefObject<((event: KeyboardEvent) => boolean) | null>;
  /** Opens another film, and plays it. */
  goOn: (to: Entry) => void;
  /** Whether a slideshow shows it: its own controls lead on. */
  isShow: boolean;
  /** Whether the user has been idle for a while. */
  isIdle: boolean;
  /** Counts the user as idle at once. */
  rest: () => void;
}

interface FilmPlayerProps {
  entry: Resource;
  source: PreviewSource;
  /** Plays at once. */
  autoPlay: boolean;
  /** Called at the end. */
  onEnded: () => void;
  frame: FilmFrame;
}

/** The player of a film: its pictures, the controls over them, and what it says of itself. */
export function FilmPlayer({ entry, source, autoPlay, onEnded, frame }: FilmPlayerProps) {
  const { t, i18n: { language } } = useTranslation();
  const api = useApi();
  const { ThumbKinds } = usePage().data.config;
  const { film, element } = useFilm(entry, source, autoPlay);
  const { state, look } = useFilmState(film, element);
  const next = useNextFilm(entry);
  const [isBegun, setBegun] = useState(autoPlay);
  const isRaised = !(frame.isIdle && state.isPlaying);
  const subtitles = useSubtitles(entry, element, film.info.value, isRaised);
  const { fullScreen, isShow } = frame;
  const [said, say] = useSaid();
  const cover = useMemo(
    () => ThumbKinds.includes("video") ? bigPreview(api, entry) : "",
    [source],
  );

  const toggleScreen = () => {
    if (fullScreen.isOn) fullScreen.leave();
    else if (fullScreen.isOffered) fullScreen.enter();
    else showInPhone(element.current);
  };
  const toggleSubtitles = () => {
    const { tracks, shown, show } = subtitles;
    if (tracks.length > 0) show(shown === -1 ? lastShown.current : -1);
  };
  const lastShown = useRef(0);
  if (subtitles.shown !== -1) lastShown.current = subtitles.shown;
  const goOn = () => next && frame.goOn(next);

  useLayoutEffect(() => {
    frame.keys.current = (event) => {
      const before = film.choices.peek();
      const wasKey = filmKey(event, {
        ...{ film, isBegun: isBegun && !isShow, rate: state.rate },
        setRate(rate) {
          film.setSpeed(rate);
          say(`${rate.toLocaleString(language)}×`);
        },
        fullScreen: toggleScreen,
        subtitles: toggleSubtitles,
        ...next && { next: () => frame.goOn(next) },
      });
      const { volume, isMuted } = film.choices.peek();
      if (before.volume !== volume || before.isMuted !== isMuted) {
        say((isMuted ? 0 : volume).toLocaleString(language, { style: "percent" }));
      }
      if (wasKey) look();
      return wasKey;
    };
    return () => void (frame.keys.current = null);
  });
  useEffect(() => state.isPlaying ? setBegun(true) : undefined, [state.isPlaying]);
  const taps = useTaps({ film, toggleScreen, rest: frame.rest, look });
  useEffect(() => state.isPlaying && !isShow ? keepAwake() : undefined, [state.isPlaying, isShow]);
  useAboveOrFull(state.isAbove, fullScreen);
  useTurnedPhone(element, fullScreen.isOn);
  useSystemFilm({ entry, film, cover, place: state, goOn: next && goOn });

  return (
    <div
      className="film"
      data-playing={state.isPlaying || undefined}
      data-begun={isBegun || undefined}
    >
      <video
        ref={element}
        className="film__video"
        poster={cover || undefined}
        playsInline
        preload="metadata"
        aria-label={entry.name}
        onEnded={onEnded}
        {...taps.handlers}
      >
        {subtitles.tracks.map(({ address, label, language }) => (
          <track
            key={address}
            kind="subtitles"
            src={address}
            srclang={language || undefined}
            label={label || t("preview.subtitles")}
          />
        ))}
      </video>
      {taps.skipped !== 0 && (
        <span
          className="film__skipped"
          data-back={taps.skipped < 0 || undefined}
          aria-hidden="true"
        >
          {`${taps.skipped > 0 ? "+" : "−"}${Math.abs(taps.skipped)}`}
        </span>
      )}
      <p className="film__said" role="status" dir="ltr">{said}</p>
      {/* For fingers, which have no keys; the bar has it for all others. */}
      <button
        type="button"
        className="film__start"
        aria-hidden="true"
        tabIndex={-1}
        // It takes no focus, as it is hidden from screen readers.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          film.toggle();
          look();
        }}
      >
        <Icon glyph={state.isPlaying ? Pause : Play} />
      </button>
      {state.isLoading && <span className="film__spinner" aria-hidden="true" />}
      <FilmNotice entry={entry} film={film} isBegun={isBegun} />
      {state.hasEnded && next && !isShow && (
        <NextCard key={next.path} film={film} next={next} onNext={goOn} />
      )}
      <FilmBar
        {...{ entry, film, element, state, subtitles, fullScreen, next }}
        onFullScreen={toggleScreen}
        onNext={goOn}
        onChange={look}
      />
    </div>
  );
}

/** How long it is shown what a key has changed. */
const SAID_MS = 1000;

/** What a key has changed, for a moment: the speed, the volume. */
function useSaid(): readonly [said: string, say: (what: string) => void] {
  const [said, setSaid] = useState<{ what: string }>({ what: "" });
  useEffect(() => {
    if (said.what === "") return;
    const timer = setTimeout(() => setSaid({ what: "" }), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said.what, (what) => setSaid({ what })];
}

interface SystemFilm {
  entry: Entry;
  film: FilmPlayback;
  /** The address of its cover; "" for none. */
  cover: string;
  place: SystemPlace;
  /** Opens the next film; null without one. */
  goOn: (() => void) | null;
}

/** Shows the film where the system shows what plays, and follows its keys. */
function useSystemFilm({ entry, film, cover, place, goOn }: SystemFilm): void {
  const { path } = parsePath(entry.path);
  useSystemPlayer(
    { title: displayName(entry.name), album: displayName(nameOf(parentOf(path))), cover },
    place,
    {
      ...systemKeys({
        play: () => film.play(),
        pause: () => film.pause(),
        seek: (seconds) => film.seek(seconds),
        position: () => film.position,
      }),
      ...goOn && { nexttrack: goOn },
    },
  );
}

/** Full screen of phones that show nothing but a video in it. */
function showInPhone(element: HTMLVideoElement | null): void {
  const phone = element as { webkitEnterFullscreen?: () => void } | null;
  phone?.webkitEnterFullscreen?.();
}
