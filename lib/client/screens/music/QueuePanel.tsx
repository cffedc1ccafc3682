import { AudioLines, DiscAlbum, Repeat, Repeat1, Shuffle, SkipBack, X } from "lucide";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import { formatNumber } from "../../base/core/format.ts";
import type { Span } from "../../base/files/rows.ts";
import { centred, spanInView } from "../preview/strip_window.ts";
import { titleOf } from "./use_music.ts";
import type { Music } from "./music.ts";
import type { Track } from "./play_queue.ts";

/** The height of a row, in rem, as the style sheet has it. */
const ROW_REM = 3;

interface QueuePanelProps {
  music: Music;
  onClose: () => void;
}

/** The tracks in the order in which they are played. */
export function QueuePanel({ music, onClose }: QueuePanelProps) {
  const { t, i18n: { language } } = useTranslation();
  const panel = useRef<HTMLDivElement>(null);
  const tracks = music.queue.tracks.value;
  const current = music.queue.current.value;

  useEffect(() => panel.current?.focus({ preventScroll: true }), []);

  return (
    <div
      className="queue"
      ref={panel}
      role="dialog"
      tabIndex={-1}
      aria-label={t("music.queue")}
      // Over a file, keys would turn to the next one.
      data-own-keys
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div className="queue__head">
        <h2 className="queue__title">
          {t("music.queue")}{" "}
          <span className="queue__count">{formatNumber(tracks.length, language)}</span>
        </h2>
        <span className="queue__modes">
          <ShuffleButton music={music} always />
          <IconButton
            label={t("music.previous")}
            glyph={SkipBack}
            mirror
            onClick={() => music.previous()}
          />
          <RepeatButton music={music} always />
          <LoudnessButton music={music} />
        </span>
        <IconButton label={t("buttons.close")} glyph={X} onClick={onClose} />
      </div>
      <Tracks music={music} tracks={tracks} current={current} />
    </div>
  );
}

interface TracksProps {
  music: Music;
  tracks: readonly Track[];
  current: Track | null;
}

/** The rows in view. */
function Tracks({ music, tracks, current }: TracksProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [cell] = useState(() =>
    ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  );
  const [{ from, to }, setSpan] = useState<Span>({ from: 0, to: 0 });
  const update = () => {
    const { scrollTop, clientHeight } = scroller.current ?? { scrollTop: 0, clientHeight: 0 };
    const view = { start: scrollTop, size: clientHeight, cell, length: tracks.length };
    const now = spanInView(view);
    setSpan((before) => before.from === now.from && before.to === now.to ? before : now);
  };
  const place = current ? tracks.indexOf(current) : -1;
  useLayoutEffect(() => {
    const { current: box } = scroller;
    if (box && place !== -1) box.scrollTop = centred(place, cell, box.clientHeight);
    update();
  }, [place === -1 ? null : current]);
  useLayoutEffect(update, [tracks]);

  return (
    <div className="queue__view" ref={scroller} onScroll={update}>
      <ol className="queue__tracks" style={{ blockSize: `${tracks.length * cell}px` }}>
        {tracks.slice(from, to).map((track, position) => (
          <li
            key={track.id}
            className="queue__row"
            style={{ insetBlockStart: `${(from + position) * cell}px` }}
            aria-setsize={tracks.length}
            aria-posinset={from + position + 1}
          >
            <button
              type="button"
              className="queue__track"
              aria-current={track === current || undefined}
              dir="auto"
              onClick={() => music.goTo(track.id)}
            >
              {titleOf(track.entry)}
            </button>
            <IconButton
              label={t("music.remove", { name: titleOf(track.entry) })}
              glyph={X}
              onClick={() => music.remove(track.id)}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface ModeButtonProps {
  music: Music;
  /** It is shown on narrow screens, too. */
  always?: boolean;
}

/** Plays in an order by chance. */
export function ShuffleButton({ music, always }: ModeButtonProps) {
  const { t } = useTranslation();
  const isShuffled = music.queue.isShuffled.value;
  return (
    <IconButton
      className={always ? "player__mode" : "player__mode player__wide"}
      label={t("music.shuffle")}
      glyph={Shuffle}
      aria-pressed={isShuffled}
      onClick={() => music.shuffle(!isShuffled)}
    />
  );
}

/** Whether tracks are played as loud as their tags say. */
function LoudnessButton({ music }: { music: Music }) {
  const { t } = useTranslation();
  const loudness = music.loudness.value;
  return (
    <IconButton
      className="player__mode player__loudness"
      label={t(`music.loudness.${loudness}`)}
      glyph={loudness === "album" ? DiscAlbum : AudioLines}
      data-on={loudness !== "off" || undefined}
      onClick={() => music.playsAsLoud()}
    />
  );
}

/** The mode after the last track. */
export function RepeatButton({ music, always }: ModeButtonProps) {
  const { t } = useTranslation();
  const mode = music.queue.repeat.value;
  return (
    <IconButton
      className={always ? "player__mode" : "player__mode player__wide"}
      label={t(`music.repeat.${mode}`)}
      glyph={mode === "one" ? Repeat1 : Repeat}
      data-on={mode !== "off" || undefined}
      onClick={() => music.repeats()}
    />
  );
}
