// Outlines of countries by Natural Earth (public domain), as data alone: 39 KB when compressed, and
// nothing of the map is asked of another server.
import world from "world-atlas/countries-110m.json" with { type: "json" };

/** A point of the map: 0 to 1 from west to east, and from north to south. */
export type Point = readonly [x: number, y: number];

/** A country, or another area of land. */
export interface Country {
  /** ISO 3166-1 numeric; "" for an area without one. */
  id: string;
  /** In English. */
  name: string;
  /** Polygons, each its outline and then its holes. */
  polygons: Point[][][];
}

/** The part of a TopoJSON topology that is used. */
interface Topology {
  transform: { scale: number[]; translate: number[] };
  arcs: number[][][];
  objects: { countries: { geometries: Geometry[] } };
}

interface Geometry {
  type: string;
  id?: string;
  properties: { name: string };
  arcs?: unknown;
}

/** Beyond this latitude the projection of Mercator has no room. */
const MOST_LATITUDE = 84;

/** Where a place is on the map, by the projection of Mercator. */
export function project(latitude: number, longitude: number): Point {
  const bounded = Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, latitude));
  const angle = bounded * Math.PI / 180;
  const y = Math.log(Math.tan(Math.PI / 4 + angle / 2));
  return [(longitude + 180) / 360, 0.5 - y / (2 * Math.PI)];
}

/** The countries of the world. */
export function readWorld(topology: Topology = world as unknown as Topology): Country[] {
  const { scale: [sx = 1, sy = 1], translate: [tx = 0, ty = 0] } = topology.transform;
  // Each point of an arc is told by its distance to the one before.
  const arcs = topology.arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx = 0, dy = 0]) => {
      [x, y] = [x + dx, y + dy];
      return project(y * sy + ty, x * sx + tx);
    });
  });
  const ringOf = (indexes: number[]) =>
    unbroken(indexes.flatMap((index, at) => {
      // Negative for one that is followed from its end.
      const arc = index < 0 ? (arcs[~index] ?? []).toReversed() : arcs[index] ?? [];
      return at === 0 ? arc : arc.slice(1);
    }));
  return topology.objects.countries.geometries.map(({ type, id = "", properties, arcs = [] }) => {
    const polygons = (type === "Polygon" ? [arcs] : arcs) as number[][][];
    return { id, name: properties.name, polygons: polygons.map((rings) => rings.map(ringOf)) };
  });
}

/** An outline over the date line goes on beyond the edge of the map, rather than back across it. */
function unbroken(ring: Point[]): Point[] {
  let [turns, former] = [0, ring[0]?.[0] ?? 0];
  const whole = ring.map(([x, y]): Point => {
    if (Math.abs(x - former) > 0.5) turns += x < former ? 1 : -1;
    former = x;
    return [x + turns, y];
  });
  // One around the pole comes back at the other side.
  return turns === 0 ? whole : ring;
}

/** The outlines of countries for an SVG whose world is `size` wide. */
export function pathOf(countries: readonly Country[], size: number): string {
  const number = (length: number) => (length * size).toFixed(2);
  const lineOf = (ring: readonly Point[], shift: number) =>
    `M${ring.map(([x, y]) => `${number(x + shift)} ${number(y)}`).join("L")}Z`;
  return countries.flatMap(({ polygons }) => polygons.flat()).flatMap((ring) => {
    // What lies beyond one edge is at the other one as well.
    const beyond = ring.some(([x]) => x > 1) ? -1 : ring.some(([x]) => x < 0) ? 1 : 0;
    return beyond === 0 ? [lineOf(ring, 0)] : [lineOf(ring, 0), lineOf(ring, beyond)];
  }).join("");
}

/** How far from a coast a place still belongs to it, as the outlines are rough: some 200 km. */
const NEAR = 0.005;

/** How far from a coast a place is named by it: some 2,000 km, for islands the outlines lack. */
const FAR = 10 * NEAR;

/** The country that a point is in, or that is near; undefined on the open sea. */
export function countryAt(countries: readonly Country[], [x, y]: Point): Country | undefined {
  const points: Point[] = [[x, y], [x + 1, y], [x - 1, y]];
  const around = countries.find(({ polygons }) =>
    polygons.some((rings) => points.some((point) => isInside(rings, point)))
  );
  return around ?? nearest(countries, [x, y], NEAR);
}

/** The country nearest to a point of the sea; undefined far from all. */
export function countryNear(countries: readonly Country[], at: Point): Country | undefined {
  return nearest(countries, at, FAR);
}

function nearest(
  countries: readonly Country[],
  [x, y]: Point,
  within: number,
): Country | undefined {
  let [found, least]: [Country | undefined, number] = [undefined, within];
  for (const country of countries) {
    for (const [px, py] of country.polygons.flat(2)) {
      const far = Math.hypot(px - x, py - y);
      if (far < least) [found, least] = [country, far];
    }
  }
  return found;
}

/** By the number of outlines that a ray crosses, holes among them. */
function isInside(rings: readonly Point[][], [x, y]: Point): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
      const [ax, ay] = ring[at] ?? [0, 0];
      const [bx, by] = ring[before] ?? [0, 0];
      if ((ay > y) !== (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}

/** The name of a country in a language. */
export function countryName({ id, name }: Country, language: string): string {
  try {
    // The numeric code is an alias of the one with letters.
    const { region } = new Intl.Locale(`und-${id}`);
    return region && new Intl.DisplayNames(language, { type: "region" }).of(region) || name;
  } catch {
    return name;
  }
}
