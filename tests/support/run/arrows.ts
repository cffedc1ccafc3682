import type { Import } from "./imports.ts";
import { CLIENT_BASE, FILES_PAGE, FLOORS, LOADED_LATE, SERVER_ROOMS } from "./rooms.ts";

/** What `components` may use of the client. */
const UNDER_COMPONENTS: readonly string[] = ["core", "ui"];

/** Where a module lies: `lib/server/access/gate.ts` is on the floor `server`, in `access`. */
export interface Location {
  floor: string;
  room: string;
}

/** Tells where a module of the product lies; undefined for tests, benchmarks and packing. */
export function locate(path: string): Location | undefined {
  const [top = "", floor = "", room = ""] = path.split("/");
  if (["tests", "bench", "deploy"].includes(top)) return undefined;
  return top === "lib" ? { floor, room } : { floor: top, room: "" };
}

/** The reason why an import is not allowed, as a sentence that names both files; else undefined. */
export function problemOf(found: Import): string | undefined {
  const from = locate(found.from);
  const to = locate(found.to);
  if (from === undefined || from.floor === "fresh" && to?.floor === "fresh") return undefined;
  const reason = to === undefined ? "the product uses no tests" : reasonAgainst(found, from, to);
  return reason && `${found.from} must not import ${found.to}: ${reason}`;
}

function reasonAgainst(
  { kind }: Import,
  from: Location,
  to: Location,
): string | undefined {
  const isHome = from.floor === to.floor && from.room === to.room;
  if (isHome && FLOORS[from.floor] !== undefined) return undefined;
  if (!FLOORS[from.floor]?.includes(to.floor)) return `${from.floor} does not use ${to.floor}`;
  if (from.floor === "server" && to.floor === "server") return serverReason(kind, from, to);
  if (kind === "type" || to.floor !== "client") return undefined;
  if (from.floor === "components" && !UNDER_COMPONENTS.includes(to.room)) {
    return `components use ${UNDER_COMPONENTS.join(" and ")} alone`;
  }
  if (from.floor !== "client") return undefined;
  return clientReason(kind, from, to);
}

function serverReason(
  kind: Import["kind"],
  from: Location,
  to: Location,
): string | undefined {
  const position = (room: string) => SERVER_ROOMS.findIndex(({ name }) => name === room);
  const room = SERVER_ROOMS[position(from.room)];
  if (!room) return `"${from.room}" is not in the table of rooms`;
  const isAbove = position(to.room) >= 0 && position(to.room) < position(from.room);
  if (room.uses.includes(to.room)) return undefined;
  if (kind === "type" && (isAbove || room.isGiven?.includes(to.room))) return undefined;
  if (kind === "worker" && room.starts?.includes(to.room)) return undefined;
  return `${from.room} does not use ${to.room}`;
}

function clientReason(
  kind: Import["kind"],
  from: Location,
  to: Location,
): string | undefined {
  const allowed = CLIENT_BASE.includes(from.room) ? CLIENT_BASE : [...CLIENT_BASE, ...FILES_PAGE];
  if (allowed.includes(to.room)) return undefined;
  if (FILES_PAGE.includes(from.room) && LOADED_LATE.includes(to.room)) {
    return kind === "lazy" ? undefined : `${to.room} is loaded late, by import()`;
  }
  if (["editor", "music"].includes(from.room) && to.room === "preview") return undefined;
  if (from.room === "share_page" && to.room === "preview" && kind === "lazy") return undefined;
  return `${from.room} does not use ${to.room}`;
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
