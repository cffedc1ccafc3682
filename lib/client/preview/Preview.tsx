import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from "lucide";
import { type RefObject, useEffect, useRef, useState } from "react";
import { IconButton } from "../../../components/Button.tsx";
import type { Entry, Resource } from "../../shared/api_types.ts";
import type { Clock } from "../../shared/clock.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useStageGestures } from "./use_stage_gestures.ts";
import { useViewer } from "./use_viewer.ts";
import { useViewerKeys } from "./use_viewer_keys.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Content } from "./Content.tsx";
import { ViewerHead } from "./ViewerHead.tsx";
import type { ImageViewport } from "./image_viewport.ts";

/** The idle time after which the arrows hide, in milliseconds. */
const HIDE_MS = 1500;

interface PreviewProps {
  entry: Resource;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** A full-window preview, with links to the next and the previous file. */
export function Preview({ entry, clock }: PreviewProps) {
  const { t } = useTranslation();
  const { actions } = useFiles();
  const { source, viewport, neighbours: { next, previous }, ...viewer } = useViewer(entry);
  const { turnTo, close, remove } = viewer;
  const picture = entry.type === "image" && source ? viewport : null;

  const frame = useRef<HTMLElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isIdle = useIdle(frame, HIDE_MS);

  const goTo = (entry: Entry | null) => entry && turnTo(entry);
  const onSide = (side: 1 | -1) => (side === 1) === (document.dir !== "rtl") ? next : previous;

  useStageGestures({
    stage,
    content,
    viewport: picture,
    has: (side) => onSide(side) !== null,
    turn: (side) => goTo(onSide(side)),
  });
  useViewerKeys({
    next: () => goTo(next),
    previous: () => goTo(previous),
    close,
    remove,
    download: () => void actions.downloadSelection(),
    play: () =>
      playOrPause(content.current?.querySelector<HTMLMediaElement>("audio, video") ?? null),
    zoom: (direction) => direction === 0 ? picture?.reset() : picture?.step(direction),
  });
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement === null) {
      frame.current?.focus({ preventScroll: true });
    }
  });
  useEffect(() => frame.current?.focus({ preventScroll: true }), []);

  return (
    <section
      className="viewer"
      ref={frame}
      tabIndex={-1}
      aria-label={t("preview.label", { name: entry.name })}
      data-idle={isIdle || undefined}
    >
      <ViewerHead
        entry={entry}
        onClose={close}
        onDelete={remove}
      />
      <div className="viewer__stage" ref={stage} data-kind={entry.type}>
        <div className="viewer__content" ref={content} key={entry.path}>
          <Content entry={entry} source={source} viewport={viewport} clock={clock} />
        </div>
        {previous && (
          <IconButton
            className="viewer__arrow viewer__arrow--previous"
            label={t("preview.previous")}
            glyph={ChevronLeft}
            mirror
            onClick={() => turnTo(previous)}
          />
        )}
        {next && (
          <IconButton
            className="viewer__arrow viewer__arrow--next"
            label={t("preview.next")}
            glyph={ChevronRight}
            mirror
            onClick={() => turnTo(next)}
          />
        )}
        {picture && source?.trouble.value === null && <ZoomBar viewport={picture} />}
      </div>
    </section>
  );
}

function playOrPause(player: HTMLMediaElement | null): void {
  if (player?.paused) void player.play().catch(() => {});
  else player?.pause();
}

/** The events that count as user activity. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "focusin"];

/**
 * Whether the user has been idle in an element for a while.
 *
 * @param element the element to observe
 * @param afterMs the idle time, in milliseconds
 */
function useIdle(element: RefObject<HTMLElement>, afterMs: number): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wake = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setIdle(true), afterMs);
      setIdle(false);
    };
    wake();
    for (const sign of SIGNS) watched.addEventListener(sign, wake, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) watched.removeEventListener(sign, wake);
    };
  }, [afterMs]);
  return isIdle;
}

interface ZoomBarProps {
  viewport: ImageViewport;
}

/** Zooms in and out. */
function ZoomBar({ viewport }: ZoomBarProps) {
  const { t, language } = useTranslation();
  const { zoom } = viewport.now.value;
  const percent = new Intl.NumberFormat(language, { style: "percent" }).format(zoom);
  return (
    <div className="viewer__zoom" role="group" aria-label={t("preview.zoom")}>
      <IconButton label={t("preview.zoomOut")} glyph={ZoomOut} onClick={() => viewport.step(-1)} />
      <button
        type="button"
        className="button button--quiet viewer__percent"
        aria-label={t("preview.zoomReset", { percent })}
        title={t("preview.zoomReset", { percent })}
        onClick={() => viewport.reset()}
      >
        {percent}
      </button>
      <IconButton label={t("preview.zoomIn")} glyph={ZoomIn} onClick={() => viewport.step(1)} />
    </div>
  );
}
