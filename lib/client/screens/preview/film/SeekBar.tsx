import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { parsePath } from "../../../../shared/path.ts";
import { seekStep } from "../../../../shared/schemas/stream.ts";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { formatTime } from "../player/PlayerBars.tsx";
import type { FilmState } from "./use_film.ts";

/** How long the pointer rests before a picture is asked for: a fast one asks for none. */
const RESTS_MS = 120;
/** How long the picture stays after a key has moved the position. */
const STAYS_MS = 1500;

interface SeekBarProps extends Pick<FilmState, "at" | "of" | "loaded"> {
  entry: Entry;
  /** Whether the server makes pictures of places. */
  hasPictures: boolean;
  onSeek: (seconds: number) => void;
}

/**
 * The position in a film, what is loaded of it, and a picture of the place under the pointer, under
 * a finger that drags, or that a key has moved it to. From left to right in any language.
 */
export function SeekBar({ entry, at, of, loaded, hasPictures, onSeek }: SeekBarProps) {
  const { t } = useTranslation();
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

  const share = (seconds: number) => `${of > 0 ? Math.min(1, seconds / of) * 100 : 0}%`;
  return (
    <div
      className="film__seek"
      ref={bar}
      dir="ltr"
      onPointerMove={({ clientX, pointerType }) => {
        const box = input.current?.getBoundingClientRect();
        if (!box || of === 0 || pointerType === "touch") return;
        setPeeked(Math.max(0, Math.min(1, (clientX - box.left) / box.width)) * of);
      }}
      onPointerLeave={() => setPeeked(null)}
    >
      <div className="film__line">
        {loaded.map(([from, to]) => (
          <span
            key={from}
            className="film__loaded"
            style={{ left: share(from), width: share(to - from) }}
          />
        ))}
        <span className="film__done" style={{ width: share(shown) }} />
      </div>
      <input
        ref={input}
        type="range"
        className="film__range"
        aria-label={t("music.position")}
        aria-valuetext={`${formatTime(shown)} / ${formatTime(of)}`}
        min={0}
        max={Math.max(1, Math.floor(of))}
        step={1}
        value={Math.round(shown)}
        disabled={of === 0}
        onInput={({ currentTarget }) => {
          setDragged(Number(currentTarget.value));
          setPeeked(Number(currentTarget.value));
        }}
      />
      {peek !== null && of > 0 && (
        <div className="film__peek" style={{ left: share(peek) }} aria-hidden="true">
          {hasPictures && <PeekPicture entry={entry} at={peek} of={of} />}
          <span className="film__peek-time">{formatTime(peek)}</span>
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

interface PeekPictureProps {
  entry: Entry;
  at: number;
  of: number;
}

/** The picture of a place; the former one is seen until it is loaded. */
function PeekPicture({ entry, at, of }: PeekPictureProps) {
  const api = useApi();
  const step = seekStep(of);
  const place = Math.floor(at / step) * step;
  const [asked, setAsked] = useState(place);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (place === asked) return;
    const timer = setTimeout(() => setAsked(place), RESTS_MS);
    return () => clearTimeout(timer);
  }, [place]);
  if (isBroken) return null;
  return (
    <img
      className="film__peek-picture"
      src={api.addressOf("GET /api/stream/{part}/{path}", {
        params: { part: "picture", path: parsePath(entry.path).path },
        query: { at: asked, k: `${Date.parse(entry.modified)}-${entry.size}` },
      })}
      alt=""
      data-fresh-disable-lock
      onError={() => setBroken(true)}
    />
  );
}
