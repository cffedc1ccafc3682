import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatTime, spokenTime } from "./times.ts";

/** How long the time stays in view after a key has moved the position. */
const STAYS_MS = 1500;

/** How far the arrow keys go, in seconds. */
const KEY_S = 5;

const STEPS: Partial<Record<string, number>> = {
  ...{ ArrowLeft: -KEY_S, ArrowDown: -KEY_S },
  ...{ ArrowRight: KEY_S, ArrowUp: KEY_S },
};

type Modifier = "altKey" | "ctrlKey" | "metaKey" | "shiftKey";

interface SeekBarProps {
  /** The position and the duration, in seconds; a duration of 0 is not known yet. */
  at: number;
  of: number;
  /** What is loaded: from and to, in seconds. */
  loaded?: readonly (readonly [from: number, to: number])[];
  /** The picture of a place, in seconds. */
  pictureOf?: (seconds: number) => ReactNode;
  /** Called once the slider is let go of, or was moved by a key. */
  onSeek: (seconds: number) => void;
}

/**
 * The position in a film or a sound, what is loaded of it, and the time under the pointer, under a
 * finger that drags, or that a key has moved it to. From left to right in any language.
 */
export function SeekBar({ at, of, loaded = [], pictureOf, onSeek }: SeekBarProps) {
  const { t, i18n: { language } } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [peeked, setPeeked] = useState<number | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const shown = dragged ?? at;
  const peek = dragged ?? peeked;
  useCommit(input, (seconds) => {
    setDragged(null);
    onSeek(seconds);
  });
  useEffect(() => {
    if (peeked === null || bar.current?.matches(":hover")) return;
    const timer = setTimeout(() => setPeeked(null), STAYS_MS);
    return () => clearTimeout(timer);
  }, [peeked]);

  const step = (event: Pick<KeyboardEvent, "key" | "preventDefault" | Modifier>) => {
    const by = STEPS[event.key];
    const { altKey, ctrlKey, metaKey, shiftKey } = event;
    if (by === undefined || altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(of, shown + by));
    setDragged(null);
    setPeeked(to);
    onSeek(to);
  };
  const share = (seconds: number) => `${of > 0 ? Math.min(1, seconds / of) * 100 : 0}%`;
  return (
    <div
      className="seek"
      ref={bar}
      dir="ltr"
      onPointerMove={({ clientX, pointerType }) => {
        const box = input.current?.getBoundingClientRect();
        if (!box || of === 0 || pointerType === "touch") return;
        setPeeked(Math.max(0, Math.min(1, (clientX - box.left) / box.width)) * of);
      }}
      onPointerLeave={() => setPeeked(null)}
    >
      <div className="seek__line">
        {loaded.map(([from, to]) => (
          <span
            key={from}
            className="seek__loaded"
            style={{ left: share(from), width: share(to - from) }}
          />
        ))}
        <span className="seek__done" style={{ width: share(shown) }} />
      </div>
      <input
        ref={input}
        type="range"
        className="seek__range"
        aria-label={t("music.position")}
        aria-valuetext={t("music.positionOf", {
          at: spokenTime(shown, language),
          of: spokenTime(of, language),
        })}
        min={0}
        max={Math.max(1, Math.floor(of * 10) / 10)}
        step={0.1}
        value={Math.round(shown * 10) / 10}
        disabled={of === 0}
        onKeyDown={step}
        onInput={({ currentTarget }) => {
          setDragged(Number(currentTarget.value));
          setPeeked(Number(currentTarget.value));
        }}
      />
      {peek !== null && of > 0 && (
        <div className="seek__peek" style={{ "--at": share(peek) }} aria-hidden="true">
          {pictureOf?.(peek)}
          <span className="seek__peek-time">{formatTime(peek)}</span>
        </div>
      )}
    </div>
  );
}

/** Calls back when a range is let go of, or moved by a key; React's `onChange` is each input. */
function useCommit(input: RefObject<HTMLInputElement>, commit: (value: number) => void): void {
  const latest = useRef(commit);
  latest.current = commit;
  useEffect(() => {
    const { current } = input;
    if (!current) return;
    const onChange = () => latest.current(Number(current.value));
    current.addEventListener("change", onChange);
    return () => current.removeEventListener("change", onChange);
  }, []);
}
