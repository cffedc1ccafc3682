import { Maximize, Minimize, Pause, PictureInPicture2, Play, SkipForward } from "lucide";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { displayName } from "../../../../shared/entry_names.ts";
import { VolumeBar } from "../player/PlayerBars.tsx";
import { SeekBar } from "../player/SeekBar.tsx";
import { formatTime } from "../player/times.ts";
import { type FullScreen, useMediaNow } from "../use_screen.ts";
import { isOfferedAbove, toggleAbove } from "./above.ts";
import type { FilmPlayback } from "./film_playback.ts";
import { FilmSettings, SubtitleMenu } from "./FilmMenus.tsx";
import { PeekPicture } from "./PeekPicture.tsx";
import type { FilmState } from "./use_film.ts";
import type { Subtitles } from "./use_subtitles.ts";

interface FilmBarProps {
  entry: Entry;
  film: FilmPlayback;
  element: RefObject<HTMLVideoElement>;
  state: FilmState;
  subtitles: Subtitles;
  fullScreen: FullScreen;
  onFullScreen: () => void;
  /** Null where none follows. */
  next: Entry | null;
  onNext: () => void;
  /** Draws the state again, after what tells of itself by no event. */
  onChange: () => void;
}

/** The controls of a film, which lie over its lower edge. */
export function FilmBar(props: FilmBarProps) {
  const { entry, film, element, state, subtitles, fullScreen, next, onChange } = props;
  const { t } = useTranslation();
  const { at, of, isPlaying, rate, isAbove } = state;
  const { volume, isMuted } = film.choices.value;
  const isNarrow = useMediaNow("(width <= 46em)");
  return (
    <div className="film__bar">
      <SeekBar
        at={at}
        of={of}
        loaded={state.loaded}
        pictureOf={film.info.value?.video &&
          ((seconds) => <PeekPicture entry={entry} at={seconds} of={of} />)}
        onSeek={(seconds) => {
          film.seek(seconds);
          onChange();
        }}
      />
      <div className="film__acts">
        <IconButton
          label={t(isPlaying ? "buttons.pause" : "commands.play")}
          glyph={isPlaying ? Pause : Play}
          onClick={() => {
            film.toggle();
            onChange();
          }}
        />
        {next && (
          <IconButton
            className="film__following"
            label={`${t("film.next")}: ${displayName(next.name)}`}
            glyph={SkipForward}
            mirror
            onClick={props.onNext}
          />
        )}
        <VolumeBar
          className="film__volume"
          volume={volume}
          isMuted={isMuted}
          onMute={(isMuted) => film.mute(isMuted)}
          onVolume={(volume) => film.setVolume(volume)}
        />
        <span className="film__time" dir="ltr">{`${formatTime(at)} / ${formatTime(of)}`}</span>
        <div className="film__more">
          <SubtitleMenu {...subtitles} />
          <FilmSettings
            entry={entry}
            film={film}
            rate={rate}
            hasNext={next !== null}
            above={isOfferedAbove() && isNarrow ? { isAbove, element } : null}
          />
          {isOfferedAbove() && !isNarrow && (
            <IconButton
              label={t("film.above")}
              glyph={PictureInPicture2}
              aria-pressed={isAbove}
              onClick={() => void toggleAbove(element.current)}
            />
          )}
          <IconButton
            label={t(fullScreen.isOn ? "preview.smallScreen" : "preview.fullScreen")}
            glyph={fullScreen.isOn ? Minimize : Maximize}
            onClick={props.onFullScreen}
          />
        </div>
      </div>
    </div>
  );
}
