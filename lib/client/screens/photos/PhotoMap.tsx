import type { TFunction } from "i18next";
import { MapPinOff, Minus, Plus } from "lucide";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import { ErrorScreen, StatusScreen } from "../../../../components/StatusScreen.tsx";
import type { PhotoPlaces, PlaceBox } from "../../../shared/schemas/timeline.ts";
import { dayMs } from "../../../shared/time.ts";
import { formatList, formatNumber, isolated } from "../../base/core/format.ts";
import { ListingSkeleton } from "../../files_page/listing/Skeletons.tsx";
import { type Cluster, clustersOf, type MapView, moved, viewOf, zoomed } from "./clusters.ts";
import type { PhotosSource } from "./photos_source.ts";
import { type Country, countryAt, countryName, countryNear, pathOf, readWorld } from "./world.ts";

/** The distance between two clusters, in pixels. */
const CELL_PX = 64;

/** The width of the world in the units of the SVG. */
const SVG_WORLD = 1_000;

/** How far a key moves the map, in pixels; and how much a step zooms. */
const STEP_PX = 80;
const ZOOM = 2;

/** Places in the list beside the map, at most. */
const MOST_LISTED = 200;

/** The countries that name a cluster of photos of many. */
const MOST_COUNTRIES = 3;

interface PhotoMapProps {
  source: PhotosSource;
  /** Shows the photos that were taken in a box. */
  onOpen: (within: PlaceBox) => void;
}

/**
 * Where photos were taken, on outlines of countries that come with the program: nothing is asked of
 * another server. What is near each other is one mark, which opens its photos; a list beside it has
 * the same marks.
 */
export function PhotoMap({ source, onOpen }: PhotoMapProps) {
  const { t } = useTranslation();
  const [taken, setTaken] = useState<PhotoPlaces | null>(null);
  const [failed, setFailed] = useState<number | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    void source.places(leaving.signal).then((answer) => {
      if (leaving.signal.aborted) return;
      if (answer.ok) setTaken(answer.value);
      else setFailed(answer.status);
    });
    return () => leaving.abort();
  }, [source]);
  if (failed !== null) return <ErrorScreen status={failed} />;
  if (!taken) return <ListingSkeleton />;
  if (taken.places.length === 0) {
    return <StatusScreen glyph={MapPinOff} title={t("photos.noPlaces")} text="" />;
  }
  return <Places taken={taken} onOpen={onOpen} />;
}

interface PlacesProps {
  taken: PhotoPlaces;
  onOpen: (within: PlaceBox) => void;
}

function Places({ taken: { places, days }, onOpen }: PlacesProps) {
  const { t, i18n: { language } } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(frame);
  const [chosen, setView] = useState<MapView | null>(null);
  const view = chosen ?? viewOf(places, width || 800, height || 500);
  const countries = useMemo(() => readWorld(), []);
  const outlines = useMemo(() => pathOf(countries, SVG_WORLD), [countries]);
  const level = Math.floor(Math.log2(view.world));
  const clusters = useMemo(
    () => clustersOf(places, days, CELL_PX / 2 ** level),
    [places, days, level],
  );
  const months = useMemo(
    () => new Intl.DateTimeFormat(language, { month: "short", year: "numeric", timeZone: "UTC" }),
    [language],
  );
  useMapGestures(frame, view, setView);

  const placeOf = ({ at: [x, y] }: Cluster) => ({
    left: (x - view.x) * view.world + width / 2,
    top: (y - view.y) * view.world + height / 2,
  });
  const shown = clusters.map((cluster) => ({ cluster, ...placeOf(cluster) }))
    .filter(({ left, top }) => left > -20 && top > -20 && left < width + 20 && top < height + 20);
  // Found once for each: a map that is dragged is drawn often.
  const names = useMemo(() => new Map<Cluster, string>(), [clusters, language]);
  const nameOf = (cluster: Cluster) => {
    const known = names.get(cluster) ?? placeName(cluster, countries, t, language);
    names.set(cluster, known);
    return known;
  };
  const whenOf = ({ days: [first, last] }: Cluster) =>
    months.formatRange(first * dayMs, last * dayMs);
  const scale = view.world / SVG_WORLD;
  return (
    <div className="map">
      <div
        className="map__view"
        ref={frame}
        role="group"
        tabIndex={0}
        aria-label={t("photos.map")}
        onKeyDown={(event) => {
          const now = keyed(view, event.key);
          if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          event.stopPropagation();
          setView(now);
        }}
      >
        <svg aria-hidden="true">
          <g
            transform={`translate(${width / 2 - view.x * view.world} ${
              height / 2 - view.y * view.world
            }) scale(${scale})`}
          >
            <path d={outlines} strokeWidth={0.7 / scale} />
          </g>
        </svg>
        {shown.map(({ cluster, left, top }) => (
          <button
            key={cluster.box.join(" ")}
            type="button"
            className="map__cluster"
            // The list has the same for the keyboard.
            tabIndex={-1}
            style={{ left: `${left}px`, top: `${top}px` }}
            // With the number itself, which some languages have a word for.
            aria-label={`${nameOf(cluster)}, ${whenOf(cluster)}: ${
              formatNumber(cluster.count, language)
            }`}
            title={`${nameOf(cluster)}, ${whenOf(cluster)}`}
            onClick={() => onOpen(cluster.box)}
          >
            {formatNumber(cluster.count, language)}
          </button>
        ))}
        <div className="map__zoom">
          <IconButton
            label={t("preview.zoomIn")}
            glyph={Plus}
            onClick={() => setView(zoomed(view, ZOOM))}
          />
          <IconButton
            label={t("preview.zoomOut")}
            glyph={Minus}
            onClick={() => setView(zoomed(view, 1 / ZOOM))}
          />
        </div>
      </div>
      <ul className="map__list" aria-label={t("photos.map")}>
        {shown.slice(0, MOST_LISTED).map(({ cluster }) => (
          <li key={cluster.box.join(" ")}>
            <button type="button" className="map__place" onClick={() => onOpen(cluster.box)}>
              <span>
                {nameOf(cluster)}
                <span className="map__when">{whenOf(cluster)}</span>
              </span>
              <span>{t("files.fileCount", { count: cluster.count })}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The countries of a cluster; on the sea that of the nearest coast, and degrees far from all. */
function placeName(
  { at, box: [west, south, east, north], spots }: Cluster,
  countries: readonly Country[],
  t: TFunction,
  language: string,
): string {
  const around = new Set(spots.flatMap((spot) => countryAt(countries, spot) ?? []));
  if (around.size > 0) {
    const some = [...around].slice(0, MOST_COUNTRIES).map((one) => countryName(one, language));
    if (around.size > some.length) some.push("…");
    return formatList(some, language);
  }
  const near = countryNear(countries, at);
  if (near) return t("photos.near", { place: countryName(near, language) });
  const degrees = (one: number, other: number) =>
    formatNumber(Math.round(one + other) / 2, language);
  return isolated(`${degrees(south, north)}°, ${degrees(west, east)}°`);
}

/** The view after a key; null for another key. */
function keyed(view: MapView, key: string): MapView | null {
  switch (key) {
    case "ArrowLeft":
      return moved(view, STEP_PX, 0);
    case "ArrowRight":
      return moved(view, -STEP_PX, 0);
    case "ArrowUp":
      return moved(view, 0, STEP_PX);
    case "ArrowDown":
      return moved(view, 0, -STEP_PX);
    case "+":
    case "=":
      return zoomed(view, ZOOM);
    case "-":
      return zoomed(view, 1 / ZOOM);
    default:
      return null;
  }
}

/** The size of an element in pixels; 0 before it is measured. */
function useSize(element: RefObject<HTMLElement>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const box = element.current;
    if (!box) return;
    const measure = () => setSize({ width: box.clientWidth, height: box.clientHeight });
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(box);
    return () => resized.disconnect();
  }, [element]);
  return size;
}

/** A press that moves less is a click, in pixels. */
const CLICK_PX = 5;

/** The wheel and two fingers zoom about where they are; a pointer drags the map. */
function useMapGestures(
  frame: RefObject<HTMLElement>,
  view: MapView,
  onView: (view: MapView) => void,
): void {
  const latest = useRef(view);
  latest.current = view;
  useEffect(() => {
    const box = frame.current;
    if (!box) return;
    const stop = new AbortController();
    const { signal } = stop;
    const pointers = new Map<number, { x: number; y: number }>();
    let travelled = 0;
    const show = (now: MapView) => {
      latest.current = now;
      onView(now);
    };
    const fromMiddle = (x: number, y: number) => {
      const { left, top, width, height } = box.getBoundingClientRect();
      return { dx: x - left - width / 2, dy: y - top - height / 2 };
    };
    box.addEventListener("wheel", (event) => {
      event.preventDefault();
      const factor = 2 ** (-event.deltaY * (event.deltaMode === 0 ? 0.003 : 0.1));
      show(zoomed(latest.current, factor, fromMiddle(event.clientX, event.clientY)));
    }, { signal, passive: false });
    box.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      if (pointers.size === 0) travelled = 0;
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    }, { signal });
    addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = { x: event.clientX, y: event.clientY };
      const [dx, dy] = [now.x - before.x, now.y - before.y];
      travelled += Math.hypot(dx, dy);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, now);
      if (!other) return show(moved(latest.current, dx, dy));
      const far = (point: { x: number; y: number }) =>
        Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      const middle = fromMiddle((now.x + other.x) / 2, (now.y + other.y) / 2);
      show(moved(zoomed(latest.current, far(now) / far(before), middle), dx / 2, dy / 2));
    }, { signal });
    for (const type of ["pointerup", "pointercancel"] as const) {
      addEventListener(type, ({ pointerId }) => pointers.delete(pointerId), { signal });
    }
    // The end of a drag is no click on a mark.
    box.addEventListener("click", (event) => {
      if (travelled <= CLICK_PX) return;
      event.preventDefault();
      event.stopPropagation();
    }, { signal, capture: true });
    return () => stop.abort();
  }, [frame]);
}
