import { Film, Maximize, Minimize, Play, RotateCcw, RotateCw } from "lucide";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Entry, Resource } from "../../../shared/schemas/entry.ts";
import type { Clock } from "../../../shared/clock.ts";
import { useMaySave } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { useStageGestures } from "./picture/use_stage_gestures.ts";
import { useViewer } from "./use_viewer.ts";
import { Content, isEmpty } from "./Content.tsx";
import { FileFrame, type FrameItem, isOnStage, Turns } from "./FileFrame.tsx";
import { Filmstrip, useFilmstrip } from "./Filmstrip.tsx";
import { MediaStrip } from "./preview_neighbours.ts";
import { PictureBar, type ViewerTools } from "./picture/PictureView.tsx";
import { SlideshowBar, useSlideshow } from "./Slideshow.tsx";
import { useFullScreen } from "./use_screen.ts";
import { letterOf, shortcutOf } from "../../base/core/keyboard.ts";

/** The idle time after which the arrows hide, in milliseconds; that of a film's controls. */
const HIDE_MS = 1500;
const HIDE_FILM_MS = 3000;

interface PreviewProps {
  entry: Resource;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** A full-window preview, with links to the next and the previous file. */
export function Preview({ entry, clock }: PreviewProps) {
  const { actions, navigation } = useFiles();
  const maySave = useMaySave();
  const { source, viewport, nearby } = useViewer(entry);
  const { neighbours: { next, previous }, strip, place, turnTo, remove } = nearby;
  const leave = () => navigation.leave();
  const isBroken = source?.trouble.value != null || isEmpty(entry);
  const picture = entry.type === "image" && source && !isBroken ? viewport : null;

  const frame = useRef<HTMLElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isIdle, rest] = useIdle(frame, entry.type === "video" ? HIDE_FILM_MS : HIDE_MS);

  const fullScreen = useFullScreen();
  const isShown = isBroken || viewport.image.value.natural > 0;
  const show = useSlideshow({ entry, viewer: nearby, isShown, fullScreen });
  const isShowing = show !== null && show.state.value !== "off";
  const [hasStrip, toggleStrip] = useFilmstrip();
  const hasOthers = strip.length > 1 && place !== -1;
  const isSeen = entry.type === "image" || entry.type === "video";
  // Its room is kept while the folder is read, so that the picture does not jump.
  const keepsRoom = isSeen && hasStrip && strip === MediaStrip.none;
  const tools: ViewerTools = {
    viewport: picture,
    show,
    fullScreen,
    strip: hasOthers && isSeen ? { isShown: hasStrip, toggle: toggleStrip } : null,
  };
  const close = () => {
    if (isShowing) show.stop();
    else if (fullScreen.isOn) fullScreen.leave();
    else leave();
  };

  // A sound is followed by the next one.
  const [follower, setFollower] = useState<string | null>(null);
  const goOn = (to: Entry) => {
    setFollower(to.path);
    turnTo(to);
  };
  const onEnded = () => {
    show?.ended();
    if (entry.type === "audio" && next?.type === "audio") goOn(next);
  };

  const goTo = (entry: Entry | null) => entry && turnTo(entry);
  const onSide = (side: 1 | -1) => (side === 1) === (document.dir !== "rtl") ? next : previous;

  useStageGestures({
    stage,
    content,
    viewport: picture,
    has: (side) => onSide(side) !== null,
    turn: (side) => goTo(onSide(side)),
    close: leave,
  });
  const filmKeys = useRef<((event: KeyboardEvent) => boolean) | null>(null);
  useViewerKeys(filmKeys, {
    next: () => goTo(next),
    previous: () => goTo(previous),
    close,
    remove,
    download: () => maySave && void actions.downloadSelection(),
    play() {
      const player = content.current?.querySelector<HTMLMediaElement>("audio, video");
      if (player) playOrPause(player);
      else if (isShowing) toggleShow();
    },
    zoom: (direction) => direction === 0 ? picture?.reset() : picture?.step(direction),
    rotate: (direction) => picture?.turn(direction),
    fullScreen: fullScreen.isOn ? fullScreen.leave : fullScreen.enter,
    slideshow: toggleShow,
  });
  function toggleShow(): void {
    if (show?.state.peek() === "playing") show.pause();
    else show?.play();
  }

  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement === null) {
      frame.current?.focus({ preventScroll: true });
    }
  });
  useEffect(() => frame.current?.focus({ preventScroll: true }), [isShowing]);

  return (
    <FileFrame
      entry={entry}
      nearby={nearby}
      frame={frame}
      items={useToolItems(tools)}
      place={hasOthers && strip.isWhole ? { at: place, of: strip.length } : null}
      isIdle={isIdle}
      isBare={isShowing || fullScreen.isOn}
      isShow={isShowing}
    >
      <div className="viewer__stage" ref={stage} data-kind={entry.type}>
        <div className="viewer__content" ref={content} key={entry.path}>
          <Content
            entry={entry}
            source={source}
            viewport={viewport}
            autoPlay={follower === entry.path || show?.state.value === "playing"}
            onEnded={onEnded}
            clock={clock}
            film={{ fullScreen, keys: filmKeys, goOn, isShow: isShowing, isIdle, rest }}
          />
        </div>
        {isOnStage(entry) && <Turns nearby={nearby} className="viewer__arrow" />}
        {isShowing
          ? <SlideshowBar show={show} />
          : picture && <PictureBar viewport={picture} tools={tools} />}
      </div>
      {(tools.strip?.isShown || keepsRoom) && !isShowing && (
        <Filmstrip strip={strip} place={place} onOpen={turnTo} onWant={nearby.wantStrip} />
      )}
    </FileFrame>
  );
}

/** The ways to look at a file, as items of its menu. */
function useToolItems({ viewport, show, fullScreen, strip }: ViewerTools): FrameItem[] {
  const { t } = useTranslation();
  const items: (FrameItem | null | false)[] = [
    viewport && [t("preview.rotateLeft"), RotateCcw, () => viewport.turn(-1)],
    viewport && [t("preview.rotateRight"), RotateCw, () => viewport.turn(1)],
    show && [t("preview.slideshow"), Play, () => show.play()],
    fullScreen.isOn
      ? [t("preview.smallScreen"), Minimize, fullScreen.leave]
      : fullScreen.isOffered && [t("preview.fullScreen"), Maximize, fullScreen.enter],
    strip &&
    [t(strip.isShown ? "preview.hideStrip" : "preview.showStrip"), Film, strip.toggle],
  ];
  return items.filter((item) => !!item);
}

function playOrPause(player: HTMLMediaElement): void {
  if (player.paused) void player.play().catch(() => {});
  else player.pause();
}

/** The events that count as user activity. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "focusin"];

/**
 * Whether the user has been idle in an element for a while.
 *
 * @param element the element to observe
 * @param afterMs the idle time, in milliseconds
 * @returns also counts the user as idle at once
 */
function useIdle(
  element: RefObject<HTMLElement>,
  afterMs: number,
): readonly [isIdle: boolean, rest: () => void] {
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
  return [isIdle, () => setIdle(true)];
}

/** The handlers of the preview's shortcuts. */
export interface ViewerActions {
  next: () => void;
  previous: () => void;
  close: () => void;
  remove: () => void;
  download: () => void;
  /** Plays or pauses a video or a sound. */
  play: () => void;
  /** Zooms in (1), out (-1), or to fit (0). */
  zoom: (direction: 1 | -1 | 0) => void;
  /** Turns a picture clockwise (1) or back (-1). */
  rotate: (direction: 1 | -1) => void;
  /** Enters or leaves full screen. */
  fullScreen: () => void;
  /** Starts, pauses or continues the slideshow. */
  slideshow: () => void;
}

const ZOOM: Record<string, 1 | -1 | 0> = { "+": 1, "=": 1, "-": -1, "_": -1, "0": 0 };

/**
 * Shortcuts of the preview, wherever on the page the focus is. A focused player keeps its own keys,
 * such as the arrows.
 *
 * @param film the keys of a film while one is open, which come first
 */
function useViewerKeys(
  film: RefObject<((event: KeyboardEvent) => boolean) | null>,
  actions: ViewerActions,
): void {
  const latest = useRef(actions);
  latest.current = actions;
  // As soon as the preview is there: a key that is pressed then must not go to the page.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog:modal, :popover-open")) return;
      // The details beside it close with Escape, and scroll with the arrows.
      if (event.target instanceof Element && event.target.closest(".details")) return;
      if (film.current?.(event) || act(event, latest.current)) event.preventDefault();
    };
    // In the capture phase, before the page's own shortcuts.
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, []);
}

function act(event: KeyboardEvent, actions: ViewerActions): boolean {
  const shortcut = shortcutOf(event);
  const inPlayer = event.target instanceof Element && event.target.closest("audio, video");
  switch (shortcut?.does) {
    case "escape":
    case "up":
      actions.close();
      return true;
    case "delete":
      actions.remove();
      return true;
    case "download":
      actions.download();
      return true;
    case "open":
      if (inPlayer || event.repeat) return false;
      actions.next();
      return true;
    case "toggle":
      // Space scrolls the pages of a PDF.
      if (inPlayer || isInPages(event)) return false;
      actions.play();
      return true;
    case "shell":
      // It would open behind the preview.
      return true;
    case "step":
      if (inPlayer || shortcut.extend) return false;
      return turn(shortcut.step, actions);
    case "type": {
      const direction = ZOOM[shortcut.character];
      if (direction === undefined) return press(event, actions);
      actions.zoom(direction);
      return true;
    }
    default:
      return false;
  }
}

function isInPages({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(".pdf__pages") !== null;
}

/** Letters, in any layout. */
function press(event: KeyboardEvent, actions: ViewerActions): boolean {
  switch (letterOf(event)) {
    case "f":
      actions.fullScreen();
      return true;
    case "r":
      actions.rotate(event.shiftKey ? -1 : 1);
      return true;
    case "s":
      actions.slideshow();
      return true;
    default:
      return false;
  }
}

function turn(step: string, actions: ViewerActions): boolean {
  const onwards = document.dir === "rtl" ? "left" : "right";
  if (step !== "left" && step !== "right") return false;
  if (step === onwards) actions.next();
  else actions.previous();
  return true;
}
