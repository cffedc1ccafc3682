import type { Import } from "./imports.ts";

/** A room of `lib/server`: a folder, or a file of its own beside the folders. */
export interface ServerRoom {
  name: string;
  /** The rooms that its code may use. */
  uses: readonly string[];
  /**
   * Rooms further down the table of which it may name types: the code gets an object that is
   * already open, such as the application (`cubby.ts`) or the client of a Worker.
   */
  isGiven?: readonly string[];
  /** Rooms whose modules it starts as Workers, which are programs of their own. */
  starts?: readonly string[];
}

/**
 * The rooms of the server from the bottom to the top. A room may use those that it lists, all of
 * which stand above it in this table, and may name the types of every room above it.
 */
export const SERVER_ROOMS: readonly ServerRoom[] = [
  { name: "disk", uses: [] },
  { name: "metrics", uses: ["disk"] },
  { name: "log", uses: [] },
  { name: "config", uses: ["disk"] },
  { name: "mail", uses: ["config"] },
  { name: "kv", uses: ["metrics"] },
  { name: "filebrowser", uses: [] },
  { name: "access", uses: ["disk"] },
  { name: "concurrency", uses: ["disk", "access"], isGiven: ["files", "search"] },
  { name: "text", uses: ["concurrency"] },
  { name: "slow_disks", uses: ["disk", "concurrency"], starts: ["boot"] },
  { name: "sandbox", uses: ["config", "disk"] },
  {
    name: "files",
    uses: ["access", "disk", "kv", "concurrency", "metrics", "text"],
    isGiven: ["workers"],
  },
  { name: "search", uses: ["access", "disk", "files", "concurrency"], isGiven: ["workers"] },
  { name: "sizes", uses: ["access", "concurrency", "disk", "search"] },
  { name: "subtitles", uses: ["access", "files", "concurrency", "text"], isGiven: ["workers"] },
  {
    name: "trash",
    uses: ["access", "concurrency", "disk", "files", "kv"],
    isGiven: ["settings", "workers"],
  },
  {
    name: "workers",
    uses: [
      ...["access", "disk", "files", "concurrency", "search", "sizes", "subtitles", "text"],
      "trash",
    ],
  },
  { name: "archive", uses: ["access", "disk", "files", "concurrency"] },
  { name: "images", uses: ["access", "disk", "files", "concurrency", "metrics"] },
  { name: "passwords", uses: ["concurrency"] },
  { name: "users", uses: ["access", "kv", "passwords"], isGiven: ["auth", "settings"] },
  {
    name: "quotas",
    uses: ["access", "concurrency", "files", "kv", "trash", "users", "workers"],
  },
  { name: "settings", uses: ["access", "kv", "users"] },
  { name: "audit", uses: ["access", "kv", "log"] },
  { name: "webhooks", uses: ["audit", "config", "kv"] },
  { name: "auth", uses: ["audit", "config", "kv", "metrics", "passwords", "settings", "users"] },
  { name: "shares", uses: ["access", "auth", "files", "kv", "passwords", "settings", "users"] },
  {
    name: "requests",
    uses: ["access", "auth", "files", "kv", "passwords", "settings", "shares", "users"],
  },
  { name: "places", uses: ["access", "files", "kv"] },
  { name: "dav", uses: ["access", "disk", "files", "kv", "trash"] },
  { name: "watch", uses: ["access", "auth", "disk", "files", "kv"] },
  {
    name: "commands",
    uses: ["audit", "auth", "concurrency", "config", "disk", "log", "sandbox"],
    isGiven: ["cubby.ts"],
  },
  {
    name: "media",
    uses: [
      ...["access", "commands", "concurrency", "config", "disk", "files", "images", "sandbox"],
      "workers",
    ],
  },
  {
    name: "contents",
    uses: ["access", "concurrency", "config", "disk", "files", "media", "search", "text"],
  },
  {
    name: "hooks",
    uses: ["access", "audit", "commands", "disk", "settings"],
    isGiven: ["cubby.ts"],
  },
  {
    name: "jobs",
    uses: [
      ...["access", "archive", "audit", "auth", "disk", "files", "hooks", "kv", "metrics"],
      "trash",
    ],
    isGiven: ["cubby.ts"],
  },
  {
    name: "http",
    uses: [
      ...[
        "access",
        "archive",
        "audit",
        "auth",
        "config",
        "dav",
        "disk",
        "files",
        "hooks",
        "images",
      ],
      ...[
        "concurrency",
        "jobs",
        "metrics",
        "places",
        "requests",
        "settings",
        "shares",
        "trash",
        "users",
        "workers",
      ],
    ],
    isGiven: ["cubby.ts", "define.ts"],
  },
  {
    name: "pages",
    uses: [
      ...["access", "audit", "auth", "config", "disk", "files", "http", "mail", "settings"],
      ...["shares", "users"],
    ],
    isGiven: ["define.ts"],
  },
  { name: "openapi", uses: ["archive", "audit", "auth", "files", "http", "settings", "users"] },
  {
    name: "boot",
    uses: [
      ...["commands", "config", "disk", "filebrowser", "kv", "log", "media", "metrics"],
      ...["sandbox", "settings", "slow_disks"],
    ],
  },
  {
    name: "cubby.ts",
    uses: [
      ...["access", "archive", "audit", "auth", "boot", "commands", "config", "contents", "dav"],
      ...["files", "http", "images"],
      ...[
        "jobs",
        "kv",
        "log",
        "mail",
        "media",
        "metrics",
        "passwords",
        "places",
        "quotas",
        "requests",
        "settings",
        "shares",
        "slow_disks",
        "trash",
        "users",
        "watch",
        "webhooks",
      ],
      "workers",
    ],
  },
  { name: "define.ts", uses: ["auth", "http", "cubby.ts"] },
  { name: "app.ts", uses: ["http", "cubby.ts", "define.ts"] },
  {
    name: "doctor",
    uses: [
      "access",
      "concurrency",
      "disk",
      "files",
      "jobs",
      "kv",
      "places",
      "shares",
      "trash",
      "users",
    ],
  },
  {
    name: "cli",
    uses: [
      ...["access", "audit", "auth", "boot", "config", "contents", "disk", "doctor", "filebrowser"],
      ...[
        "files",
        "kv",
        "log",
        "mail",
        "passwords",
        "places",
        "quotas",
        "requests",
        "settings",
        "shares",
      ],
      ...["trash", "users", "workers"],
    ],
  },
];

/** The floors of the product, and which floors each may use. Types count as any other import. */
export const FLOORS: Readonly<Record<string, readonly string[]>> = {
  shared: ["shared"],
  fresh: [],
  react: [],
  server: ["shared", "server"],
  components: ["shared", "components", "client"],
  client: ["shared", "components", "client"],
  islands: ["shared", "components", "client", "islands"],
  routes: ["shared", "components", "client", "islands", "server", "routes"],
  "main.ts": ["server"],
  "dev.ts": ["main.ts"],
};

/** What every feature of the browser stands on. These rooms may use one another. */
export const CLIENT_BASE = ["core", "api", "session", "ui", "prompts"];

/** Names the dialog of each kind of prompt. It is loaded late, so it alone looks up to features. */
const DIALOGS = "lib/client/prompts/prompt_bodies.ts";

/** The features that make up the files page. They share its stores and may use one another. */
export const FILES_PAGE = [
  ...["actions", "drag", "info", "listing", "live", "menu", "navigation", "offline"],
  ...["places", "selection", "sharing", "uploads"],
];

/** Features that are loaded when they are first shown: the files page may only import them late. */
export const LOADED_LATE = ["editor", "music", "preview", "search", "terminal"];

/** Pages of their own. No feature uses them. */
export const OWN_PAGES = ["settings", "share_page", "trash"];

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
  { kind, ...paths }: Import,
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
  if (from.floor !== "client" || paths.from === DIALOGS) return undefined;
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
