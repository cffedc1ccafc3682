import { Pause, Play, Volume2, VolumeX } from "lucide";
import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";

interface TimeBarProps {
  /** The position and the duration, in seconds; a duration of 0 is not known yet. */
  at: number;
  of: number;
  onSeek: (seconds: number) => void;
}

/** The position in a sound. */
export function TimeBar({ at: exact, of, onSeek }: TimeBarProps) {
  const { t } = useTranslation();
  // In the steps of the slider, so that its knob stands at the end of its line.
  const at = Math.round(exact);
  const text = `${formatTime(exact)} / ${formatTime(of)}`;
  return (
    <div className="player__seek">
      <input
        type="range"
        className="player__range"
        aria-label={t("music.position")}
        aria-valuetext={text}
        min={0}
        max={Math.max(of, 1)}
        step={1}
        value={at}
        disabled={of === 0}
        style={{ "--done": `${of > 0 ? at / of * 100 : 0}%` }}
        onInput={({ currentTarget }) => onSeek(Number(currentTarget.value))}
      />
      <span className="player__time" dir="ltr">{text}</span>
    </div>
  );
}

interface VolumeBarProps {
  /** From 0 to 1, whether it is muted or not. */
  volume: number;
  isMuted: boolean;
  onMute: (isMuted: boolean) => void;
  onVolume: (volume: number) => void;
}

/** The volume of a sound. */
export function VolumeBar({ volume, isMuted, onMute, onVolume }: VolumeBarProps) {
  const { t } = useTranslation();
  const heard = isMuted ? 0 : volume;
  return (
    <div className="player__volume player__wide">
      <IconButton
        label={t("music.mute")}
        glyph={isMuted ? VolumeX : Volume2}
        aria-pressed={isMuted}
        onClick={() => onMute(!isMuted)}
      />
      <input
        type="range"
        className="player__range"
        aria-label={t("music.volume")}
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

/** The controls of a sound element, in place of the browser's own, which look otherwise in each. */
export function SoundControls({ player }: { player: RefObject<HTMLMediaElement> }) {
  const { t } = useTranslation();
  const { at, of, isPlaying, volume, isMuted } = useSound(player);
  const change = (act: (sound: HTMLMediaElement) => void) => {
    if (player.current) act(player.current);
  };
  return (
    <div className="viewer__controls">
      <IconButton
        className="player__play"
        variant="primary"
        label={t(isPlaying ? "buttons.pause" : "commands.play")}
        glyph={isPlaying ? Pause : Play}
        onClick={() =>
          change((sound) => isPlaying ? sound.pause() : void sound.play().catch(() => {}))}
      />
      <TimeBar
        at={at}
        of={of}
        onSeek={(seconds) => change((sound) => sound.currentTime = seconds)}
      />
      <VolumeBar
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

/**
 * A time as players write it: "3:07", "1:02:03".
 *
 * @param seconds a fraction is cut off
 */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds) || 0);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => index === 0 ? `${part}` : `${part}`.padStart(2, "0")).join(":");
}
