import type { Import } from "./imports.ts";
import {
  CLIENT_ROOMS,
  CLIENT_WINGS,
  FLOORS,
  type Room,
  SERVER_ROOMS,
  SERVER_WINGS,
} from "./rooms.ts";

/** What `components` may use of the client. */
const UNDER_COMPONENTS: readonly string[] = ["core", "ui"];

/** The floors whose rooms have a table. */
const ROOMS: Readonly<Record<string, readonly Room[]>> = {
  server: SERVER_ROOMS,
  client: CLIENT_ROOMS,
};

/** The wings of the floors that have some. */
const WINGS: Readonly<Record<string, Readonly<Record<string, readonly Room[]>>>> = {
  server: SERVER_WINGS,
  client: CLIENT_WINGS,
};

/** Where a module lies: `lib/server/core/access/gate.ts` is on the floor `server`, in `access`. */
export interface Location {
  floor: string;
  room: string;
}

/** Tells where a module of the product lies; undefined for tests, benchmarks and packing. */
export function locate(path: string): Location | undefined {
  const [top = "", floor = "", wing = "", ...below] = path.split("/");
  if (["tests", "bench", "deploy"].includes(top)) return undefined;
  if (top !== "lib") return { floor: top, room: "" };
  const rooms = WINGS[floor]?.[wing];
  return { floor, room: rooms ? roomIn(wing, rooms, below) : wing };
}

/** The room of a wing in which a path below the wing lies, or the folder that is no room. */
function roomIn(wing: string, rooms: readonly Room[], [folder = "", inner = ""]: string[]): string {
  const isRoom = (name: string, inside?: string) =>
    rooms.some((room) => room.name === name && room.inside === inside && name !== wing);
  if (isRoom(folder)) return folder;
  if (isRoom(inner, folder)) return inner;
  return rooms.some(({ name }) => name === wing) ? wing : folder;
}

/** The reason why an import is not allowed, as a sentence that names both files; else undefined. */
export function problemOf(found: Import): string | undefined {
  const from = locate(found.from);
  const to = locate(found.to);
  if (from === undefined || from.floor === "fresh" && to?.floor === "fresh") return undefined;
  const reason = to === undefined ? "the product uses no tests" : reasonAgainst(found, from, to);
  return reason && `${found.from} must not import ${found.to}: ${reason}`;
}

function reasonAgainst({ kind }: Import, from: Location, to: Location): string | undefined {
  const isHome = from.floor === to.floor && from.room === to.room;
  if (isHome && FLOORS[from.floor] !== undefined) return undefined;
  if (!FLOORS[from.floor]?.includes(to.floor)) return `${from.floor} does not use ${to.floor}`;
  if (from.floor === "components" && to.floor === "client") {
    const isUsed = kind === "type" || UNDER_COMPONENTS.includes(to.room);
    return isUsed ? undefined : `components use ${UNDER_COMPONENTS.join(" and ")} alone`;
  }
  const rooms = from.floor === to.floor ? ROOMS[from.floor] : undefined;
  return rooms && roomReason(rooms, kind, from.room, to.room);
}

function roomReason(
  rooms: readonly Room[],
  kind: Import["kind"],
  from: string,
  to: string,
): string | undefined {
  const position = (room: string) => rooms.findIndex(({ name }) => name === room);
  const room = rooms[position(from)];
  if (!room) return `"${from}" is not in the table of rooms`;
  if (room.uses.includes(to)) return undefined;
  const isAbove = position(to) >= 0 && position(to) < position(from);
  if (kind === "type" && (isAbove || room.isGiven?.includes(to))) return undefined;
  if (kind === "lazy" && room.loads?.includes(to)) return undefined;
  if (kind === "worker" && room.starts?.includes(to)) return undefined;
  return `${from} does not use ${to}`;
}

/**
 * Finds modules that need each other to be loaded, directly or in a circle: each circle once, as
 * the paths in it.
 */
export function findCircles(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to, kind } of imports) {
    if (kind === "run") next.set(from, [...next.get(from) ?? [], to]);
  }
  const circles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push(path.slice(start));
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const to of next.get(file) ?? []) visit(to);
    path.pop();
    done.add(file);
  };
  for (const file of next.keys()) visit(file);
  return circles;
}

/** The modules that are loaded with a module, itself included. */
export function loadedWith(imports: readonly Import[], module: string): Set<string> {
  const next = Map.groupBy(imports.filter(({ kind }) => kind === "run"), ({ from }) => from);
  const loaded = new Set([module]);
  for (const path of loaded) for (const { to } of next.get(path) ?? []) loaded.add(to);
  return loaded;
}
