import { ChevronLeft, ChevronRight } from "lucide";
import { useEffect, useRef } from "react";
import { IconButton } from "../../../components/Button.tsx";
import type { Entry, Resource } from "../../shared/api_types.ts";
import type { Clock } from "../core/use_clock.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useIdle } from "../ui/use_idle.ts";
import { useStageGestures } from "./use_stage_gestures.ts";
import { useViewer } from "./use_viewer.ts";
import { useViewerKeys } from "./use_viewer_keys.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Content } from "./Content.tsx";
import { ViewerHead } from "./ViewerHead.tsx";
import { ZoomBar } from "./ZoomBar.tsx";

/** After so many milliseconds without a sign of life the arrows hide. */
const HIDE_MS = 1500;

interface PreviewProps {
  entry: Resource;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** A file over the whole window: something to look at or to listen to, and the way to the next one. */
export function Preview({ entry, clock }: PreviewProps) {
  const { t } = useTranslation();
  const { actions } = useFiles();
  const { source, look, neighbours: { next, previous }, ...viewer } = useViewer(entry);
  const { turnTo, close, remove } = viewer;
  const picture = entry.type === "image" && source ? look : null;

  const frame = useRef<HTMLElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isIdle = useIdle(frame, HIDE_MS);

  const goTo = (entry: Entry | null) => entry && turnTo(entry);
  const onSide = (side: 1 | -1) => (side === 1) === (document.dir !== "rtl") ? next : previous;

  useStageGestures({
    stage,
    content,
    look: picture,
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
          <Content entry={entry} source={source} look={look} clock={clock} />
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
        {picture && source?.trouble.value === null && <ZoomBar look={picture} />}
      </div>
    </section>
  );
}

function playOrPause(player: HTMLMediaElement | null): void {
  if (player?.paused) void player.play().catch(() => {});
  else player?.pause();
}
