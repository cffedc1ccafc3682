/** A room of `lib/server`: a folder, or a file of its own beside the folders. */
export interface ServerRoom {
  name: string;
  /** The rooms that its code may use. */
  uses: readonly string[];
  /**
   * Rooms further down the table of which it may name types: the code gets an object that is
   * already open, such as the application (`cubby`) or the client of a Worker.
   */
  isGiven?: readonly string[];
  /** Rooms whose modules it starts as Workers, which are programs of their own. */
  starts?: readonly string[];
}

/** The rooms in a list with spaces. */
const rooms = (names: string) => names.split(" ");

/**
 * The rooms of the server from the bottom to the top. A room may use those that it lists, all of
 * which stand above it in this table, and may name the types of every room above it.
 */
export const SERVER_ROOMS: readonly ServerRoom[] = [
  { name: "disk", uses: [] },
  { name: "metrics", uses: rooms("disk") },
  { name: "log", uses: [] },
  { name: "config", uses: rooms("disk") },
  { name: "mail", uses: rooms("config") },
  { name: "kv", uses: rooms("metrics") },
  { name: "filebrowser", uses: [] },
  { name: "access", uses: rooms("disk") },
  { name: "concurrency", uses: rooms("disk access"), isGiven: rooms("files search") },
  { name: "text", uses: rooms("concurrency") },
  { name: "slow_disks", uses: rooms("disk concurrency"), starts: rooms("boot") },
  { name: "sandbox", uses: rooms("config disk") },
  {
    name: "files",
    uses: rooms("access disk kv concurrency metrics text"),
    isGiven: rooms("workers"),
  },
  { name: "search", uses: rooms("access disk files concurrency"), isGiven: rooms("workers") },
  { name: "sizes", uses: rooms("access concurrency disk search") },
  { name: "subtitles", uses: rooms("access files concurrency text"), isGiven: rooms("workers") },
  {
    name: "trash",
    uses: rooms("access concurrency disk files kv"),
    isGiven: rooms("settings workers"),
  },
  {
    name: "workers",
    uses: rooms("access disk files concurrency search sizes subtitles text trash"),
  },
  { name: "archive", uses: rooms("access config disk files concurrency") },
  { name: "images", uses: rooms("access disk files concurrency metrics") },
  { name: "passwords", uses: rooms("concurrency") },
  { name: "users", uses: rooms("access kv passwords"), isGiven: rooms("auth settings") },
  {
    name: "quotas",
    uses: rooms("access concurrency files kv trash users workers"),
  },
  { name: "settings", uses: rooms("access kv users") },
  { name: "audit", uses: rooms("access kv log") },
  { name: "webhooks", uses: rooms("audit config kv") },
  { name: "auth", uses: rooms("audit config kv metrics passwords settings users") },
  { name: "shares", uses: rooms("access auth files kv passwords settings users") },
  {
    name: "requests",
    uses: rooms("access auth files kv passwords settings shares users"),
  },
  { name: "notifications", uses: rooms("audit auth kv mail requests shares users") },
  { name: "places", uses: rooms("access files kv") },
  { name: "dav", uses: rooms("access disk files kv trash") },
  { name: "watch", uses: rooms("access auth disk files kv") },
  {
    name: "commands",
    uses: rooms("audit auth concurrency config disk log sandbox"),
    isGiven: rooms("cubby"),
  },
  {
    name: "media",
    uses: rooms("access commands concurrency config disk files images sandbox workers"),
  },
  {
    name: "contents",
    uses: rooms("access concurrency config disk files media search text"),
  },
  {
    name: "hooks",
    uses: rooms("access audit commands disk settings"),
    isGiven: rooms("cubby"),
  },
  {
    name: "jobs",
    uses: rooms("access archive audit auth disk files hooks kv metrics trash"),
    isGiven: rooms("cubby"),
  },
  { name: "openapi", uses: rooms("archive audit auth files settings users") },
  {
    name: "http",
    uses: rooms(
      "access archive audit auth config dav disk files hooks images concurrency jobs " +
        "metrics notifications openapi places requests settings shares text trash users workers",
    ),
    isGiven: rooms("cubby define.ts"),
  },
  {
    name: "pages",
    uses: rooms(
      "access audit auth config disk files http mail notifications openapi settings shares users",
    ),
    isGiven: rooms("define.ts"),
  },
  {
    name: "boot",
    uses: rooms(
      "access commands concurrency config disk filebrowser kv log media metrics sandbox settings " +
        "slow_disks",
    ),
  },
  {
    name: "cubby",
    uses: rooms(
      "access archive audit auth boot commands config contents dav files http images jobs " +
        "kv log mail media metrics notifications pages passwords places quotas requests settings " +
        "shares slow_disks trash users watch webhooks workers",
    ),
  },
  { name: "define.ts", uses: rooms("auth http openapi cubby") },
  { name: "app.ts", uses: rooms("http cubby define.ts") },
  {
    name: "doctor",
    uses: rooms("access concurrency disk files jobs kv places requests shares trash users"),
  },
  {
    name: "cli",
    uses: rooms(
      "access audit auth boot config contents disk doctor filebrowser files kv log mail " +
        "notifications pages passwords places quotas requests settings shares trash users " +
        "webhooks workers",
    ),
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
export const CLIENT_BASE = [
  "core",
  "api",
  "session",
  "ui",
  "navigation",
  "files",
  "prompts",
  "site",
];

/** The features that make up the files page. They share its stores and may use one another. */
export const FILES_PAGE = [
  ...["actions", "drag", "info", "layout", "listing", "live", "menu", "notifications"],
  ...["offline", "places", "selection", "sharing", "uploads"],
];

/** Features that are loaded when they are first shown: the files page may only import them late. */
export const LOADED_LATE = ["editor", "music", "preview", "search", "terminal"];

/** Hooks that know what they return by its interface, and the module that opens it. */
export const PROVIDED: readonly { hooks: string; by: string }[] = [
  { hooks: "lib/client/core/use_site.ts", by: "lib/client/site/open_site.ts" },
  { hooks: "lib/client/files/use_files.ts", by: "lib/client/layout/open_files.ts" },
];
