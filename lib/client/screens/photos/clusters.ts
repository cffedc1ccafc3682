import type { PlaceBox } from "../../../shared/schemas/timeline.ts";
import { type Point, project } from "./world.ts";

/** Photos that are near each other on the screen. */
export interface Cluster {
  /** Their middle. */
  at: Point;
  count: number;
  /** Around all of them. */
  box: PlaceBox;
  /** The days of the first and the last one, in days since 1970. */
  days: readonly [first: number, last: number];
  /** Some of their places, each a degree from the others: as many as name the cluster. */
  spots: readonly Point[];
}

/** The most spots of a cluster. */
const MOST_SPOTS = 24;

/** Places are told to four digits: this much further lies the photo itself, in degrees. */
const MARGIN = 0.0001;

/**
 * Gathers places that are in the same cell of a grid.
 *
 * @param places latitude and longitude, one after the other
 * @param days when they were taken, in days since 1970
 * @param cell the width of a cell, where the world is 1 wide
 */
export function clustersOf(
  places: readonly number[],
  days: readonly number[],
  cell: number,
): Cluster[] {
  interface Cell {
    x: number;
    y: number;
    count: number;
    box: number[];
    first: number;
    last: number;
    spots: Map<string, Point>;
  }
  const cells = new Map<string, Cell>();
  for (let index = 0; index + 1 < places.length; index += 2) {
    const [latitude = 0, longitude = 0] = [places[index], places[index + 1]];
    const day = days[index / 2] ?? 0;
    const [x, y] = project(latitude, longitude);
    const key = `${Math.floor(x / cell)} ${Math.floor(y / cell)}`;
    const spot = `${Math.round(latitude)} ${Math.round(longitude)}`;
    const found = cells.get(key);
    if (!found) {
      const box = [longitude, latitude, longitude, latitude];
      const spots = new Map<string, Point>([[spot, [x, y]]]);
      cells.set(key, { x, y, count: 1, box, first: day, last: day, spots });
      continue;
    }
    const [west = 0, south = 0, east = 0, north = 0] = found.box;
    found.x += x;
    found.y += y;
    found.count++;
    if (found.spots.size < MOST_SPOTS && !found.spots.has(spot)) found.spots.set(spot, [x, y]);
    found.first = Math.min(found.first, day);
    found.last = Math.max(found.last, day);
    found.box = [
      Math.min(west, longitude),
      Math.min(south, latitude),
      Math.max(east, longitude),
      Math.max(north, latitude),
    ];
  }
  return [...cells.values()].map(({ x, y, count, box, first, last, spots }) => {
    const [west = 0, south = 0, east = 0, north = 0] = box;
    return {
      at: [x / count, y / count],
      count,
      days: [first, last],
      spots: [...spots.values()],
      box: [
        Math.max(-180, west - MARGIN),
        Math.max(-90, south - MARGIN),
        Math.min(180, east + MARGIN),
        Math.min(90, north + MARGIN),
      ],
    } as const;
  }).sort((a, b) => b.count - a.count);
}

/** What is seen of the map: the middle of the view, and the width of the world in pixels. */
export interface MapView {
  x: number;
  y: number;
  world: number;
}

/** The closest and the furthest view: a town, and the world. */
const MOST_WORLD = 2 ** 20;
const LEAST_WORLD = 256;

/** The view after zooming about a point of the screen, which stays where it is. */
export function zoomed(
  { x, y, world }: MapView,
  factor: number,
  { dx, dy }: { dx: number; dy: number } = { dx: 0, dy: 0 },
): MapView {
  const now = Math.max(LEAST_WORLD, Math.min(MOST_WORLD, world * factor));
  return bounded({ x: x + dx / world - dx / now, y: y + dy / world - dy / now, world: now });
}

/** The view after moving by some pixels. */
export function moved({ x, y, world }: MapView, dx: number, dy: number): MapView {
  return bounded({ x: x - dx / world, y: y - dy / world, world });
}

/** The view that shows all places, in a window of some pixels. */
export function viewOf(places: readonly number[], width: number, height: number): MapView {
  let [west, north, east, south] = [1, 1, 0, 0];
  for (let index = 0; index + 1 < places.length; index += 2) {
    const [x, y] = project(places[index] ?? 0, places[index + 1] ?? 0);
    [west, east] = [Math.min(west, x), Math.max(east, x)];
    [north, south] = [Math.min(north, y), Math.max(south, y)];
  }
  if (west > east) return { x: 0.5, y: 0.42, world: Math.max(width, LEAST_WORLD) };
  const room = 0.8;
  const world = Math.min(
    width * room / Math.max(east - west, 0.02),
    height * room / Math.max(south - north, 0.02),
  );
  const view = { x: (west + east) / 2, y: (north + south) / 2, world };
  return { ...view, world: Math.max(LEAST_WORLD, Math.min(MOST_WORLD, world)) };
}

function bounded({ x, y, world }: MapView): MapView {
  return { x: Math.max(0, Math.min(1, x)), y: Math.max(0, Math.min(1, y)), world };
}
