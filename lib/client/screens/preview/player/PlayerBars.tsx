import { Pause, Play, Volume2, VolumeX } from "lucide";
import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import { formatTime } from "./times.ts";
import { SeekBar } from "./SeekBar.tsx";
import { systemKeys, type SystemShown, useSystemPlayer } from "./system_player.ts";

interface TimeBarProps {
  /** The position and the duration, in seconds; a duration of 0 is not known yet. */
  at: number;
  of: number;
  onSeek: (seconds: number) => void;
}

/** The position in a sound, with its time beside it. */
export function TimeBar(props: TimeBarProps) {
  return (
    <div className="player__seek">
      <SeekBar {...props} />
      <span className="player__time" dir="ltr">
        {`${formatTime(props.at)} / ${formatTime(props.of)}`}
      </span>
    </div>
  );
}

interface VolumeBarProps {
  className: string;
  /** From 0 to 1, whether it is muted or not. */
  volume: number;
  isMuted: boolean;
  onMute: (isMuted: boolean) => void;
  onVolume: (volume: number) => void;
}

/** The volume of a film or a sound. From left to right in any language, as the button's waves. */
export function VolumeBar({ className, volume, isMuted, onMute, onVolume }: VolumeBarProps) {
  const { t, i18n: { language } } = useTranslation();
  const heard = isMuted ? 0 : volume;
  return (
    <div className={className}>
      <IconButton
        label={t("music.mute")}
        glyph={heard === 0 ? VolumeX : Volume2}
        aria-pressed={isMuted}
        onClick={() => onMute(!isMuted)}
      />
      <input
        type="range"
        className="loudness"
        dir="ltr"
        aria-label={t("music.volume")}
        aria-valuetext={heard.toLocaleString(language, { style: "percent" })}
        min={0}
        max={1}
        step={0.05}
        value={heard}
        style={{ "--done": `${heard * 100}%` }}
        onInput={({ currentTarget }) => onVolume(Number(currentTarget.value))}
      />
    </div>
  );
}

interface SoundControlsProps {
  player: RefObject<HTMLMediaElement>;
  /** What plays, for the system. */
  shown: SystemShown;
  /** Called when the user plays or pauses it. */
  onWant: (plays: boolean) => void;
}

/** The controls of a sound element, in place of the browser's own, which look otherwise in each. */
export function SoundControls({ player, shown, onWant }: SoundControlsProps) {
  const { t } = useTranslation();
  const { at, of, isPlaying, volume, isMuted } = useSound(player);
  const change = (act: (sound: HTMLMediaElement) => void) => {
    if (player.current) act(player.current);
  };
  const play = () => {
    onWant(true);
    change((sound) => void sound.play().catch(() => {}));
  };
  const pause = () => {
    onWant(false);
    change((sound) => sound.pause());
  };
  const seek = (seconds: number) => change((sound) => sound.currentTime = seconds);
  const position = () => player.current?.currentTime ?? 0;
  useSystemPlayer(shown, { at, of, isPlaying }, systemKeys({ play, pause, seek, position }));
  return (
    <div className="viewer__controls">
      <IconButton
        className="player__play"
        variant="primary"
        label={t(isPlaying ? "buttons.pause" : "commands.play")}
        glyph={isPlaying ? Pause : Play}
        onClick={isPlaying ? pause : play}
      />
      <TimeBar at={at} of={of} onSeek={seek} />
      <VolumeBar
        className="player__volume player__wide"
        volume={volume}
        isMuted={isMuted}
        onMute={(muted) => change((sound) => sound.muted = muted)}
        onVolume={(volume) => change((sound) => Object.assign(sound, { volume, muted: false }))}
      />
    </div>
  );
}

/** The events after which a sound is in another state. */
const CHANGES = ["play", "pause", "timeupdate", "durationchange", "volumechange", "emptied"];

/** The state of a sound element. */
function useSound(player: RefObject<HTMLMediaElement>) {
  const [state, setState] = useState(() => stateOf(player.current));
  useEffect(() => {
    const sound = player.current;
    if (!sound) return;
    const leaving = new AbortController();
    const look = () => setState(stateOf(sound));
    look();
    for (const change of CHANGES) sound.addEventListener(change, look, { signal: leaving.signal });
    return () => leaving.abort();
  }, [player]);
  return state;
}

function stateOf(sound: HTMLMediaElement | null) {
  const of = sound?.duration ?? 0;
  return {
    at: sound?.currentTime ?? 0,
    // Unknown, or without an end, as of a stream.
    of: Number.isFinite(of) ? of : 0,
    isPlaying: sound?.paused === false,
    volume: sound?.volume ?? 1,
    isMuted: sound?.muted ?? false,
  };
}
