/** A room of the server or the browser: a folder, or a file of its own beside the folders. */
export interface Room {
  name: string;
  /** The feature whose folder has it; it lies in that of its wing when left out. */
  inside?: string;
  /** The rooms that its code may use. */
  uses: readonly string[];
  /**
   * Rooms further down the table of which it may name types: the code gets an object that is
   * already open, such as the application (`cubby`), the client of a Worker or a store of a page.
   */
  isGiven?: readonly string[];
  /** Rooms further down the table whose modules it loads late, by `import()`. */
  loads?: readonly string[];
  /** Rooms whose modules it starts as Workers, which are programs of their own. */
  starts?: readonly string[];
}

/** The rooms in a list with spaces. */
const rooms = (names: string) => names.split(" ");

/**
 * The rooms of the server from the bottom to the top, in wings: folders of `lib/server`. A room may
 * use those that it lists, all of which stand above it in this table, and may name the types of
 * every room above it. A room with the name of its wing is what lies in no other room of it.
 */
export const SERVER_WINGS: Readonly<Record<string, readonly Room[]>> = {
  core: [
    { name: "disk", uses: [] },
    { name: "metrics", uses: rooms("disk") },
    { name: "log", uses: [] },
    { name: "config", uses: rooms("disk") },
    { name: "kv", uses: rooms("metrics") },
    { name: "access", uses: rooms("disk") },
    { name: "concurrency", uses: rooms("disk") },
    { name: "slow_disks", uses: rooms("concurrency disk"), starts: rooms("boot") },
    { name: "sandbox", uses: rooms("config disk") },
  ],
  files: [
    { name: "text", uses: [] },
    {
      name: "files",
      uses: rooms("access disk kv concurrency metrics text"),
      isGiven: rooms("workers"),
    },
    { name: "search", uses: rooms("access disk files concurrency"), isGiven: rooms("workers") },
    { name: "sizes", uses: rooms("access concurrency disk search") },
    { name: "subtitles", uses: rooms("files text"), isGiven: rooms("workers") },
    {
      name: "trash",
      uses: rooms("access concurrency disk files kv"),
      isGiven: rooms("workers"),
    },
    {
      name: "workers",
      uses: rooms("access files concurrency search sizes subtitles text trash"),
    },
  ],
  features: [
    { name: "filebrowser", uses: [] },
    { name: "archive", uses: rooms("access config disk files concurrency text") },
    { name: "passwords", inside: "accounts", uses: rooms("concurrency") },
    {
      name: "users",
      inside: "accounts",
      uses: rooms("access kv passwords"),
      isGiven: rooms("auth"),
    },
    { name: "quotas", uses: rooms("access concurrency files kv") },
    { name: "settings", uses: rooms("kv users") },
    { name: "audit", uses: rooms("kv log") },
    { name: "webhooks", uses: rooms("config kv") },
    {
      name: "auth",
      inside: "accounts",
      uses: rooms("concurrency kv metrics settings users"),
    },
    { name: "links", uses: rooms("access auth files kv users") },
    { name: "notifications", uses: rooms("kv links users") },
    { name: "places", uses: rooms("access files kv") },
    { name: "dav", uses: rooms("access concurrency disk files kv links search") },
    { name: "watch", uses: rooms("access disk files kv") },
    {
      name: "commands",
      uses: rooms("audit auth concurrency config disk sandbox"),
    },
    { name: "office", uses: rooms("auth concurrency dav kv") },
    {
      name: "coediting",
      uses: rooms(
        "access commands concurrency dav disk files kv links text",
      ),
    },
    {
      name: "previews",
      uses: rooms("access commands concurrency disk files metrics sandbox search text"),
    },
    { name: "video", uses: rooms("concurrency files previews subtitles") },
    { name: "folder_sizes", uses: rooms("concurrency files previews") },
    {
      name: "contents",
      uses: rooms("access concurrency disk files previews search text"),
    },
    {
      name: "photos",
      uses: rooms("access concurrency contents disk files previews"),
    },
    {
      name: "jobs",
      uses: rooms("access archive audit commands concurrency disk files kv metrics"),
    },
    { name: "setup", uses: rooms("access files kv previews") },
  ],
  http: [
    { name: "openapi", uses: rooms("archive") },
    {
      name: "http",
      uses: rooms(
        "access archive audit auth coediting commands config dav disk files concurrency links " +
          "metrics openapi places previews search setup text trash users",
      ),
      isGiven: rooms("cubby"),
    },
    {
      name: "pages",
      uses: rooms("config disk files http links notifications openapi users"),
    },
    { name: "ocs", uses: rooms("access auth dav files http links openapi pages text") },
    {
      name: "wopi",
      uses: rooms("access audit auth commands dav files http kv links office openapi pages"),
    },
  ],
  boot: [
    {
      name: "boot",
      uses: rooms(
        "access commands concurrency config disk filebrowser kv log metrics previews sandbox " +
          "settings slow_disks users",
      ),
    },
    {
      name: "cubby",
      uses: rooms(
        "access archive audit auth boot coediting commands config contents dav files " +
          "folder_sizes http jobs kv links log metrics notifications office pages " +
          "passwords photos places previews quotas settings trash users video watch " +
          "webhooks workers",
      ),
    },
  ],
  cli: [
    {
      name: "doctor",
      uses: rooms("access concurrency disk files jobs kv links places trash users"),
    },
    {
      name: "cli",
      uses: rooms(
        "access audit auth boot commands config contents cubby disk doctor filebrowser files jobs kv " +
          "links log notifications openapi passwords places quotas settings trash " +
          "users webhooks workers",
      ),
    },
  ],
};

/** The rooms of the server in one list. */
export const SERVER_ROOMS: readonly Room[] = Object.values(SERVER_WINGS).flat();

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
  "dev.ts": ["main.ts", "server"],
};

/**
 * The rooms of the browser from the bottom to the top, in three wings: folders of `lib/client`.
 * They may use and name each other as those of the server.
 */
export const CLIENT_WINGS: Readonly<Record<string, readonly Room[]>> = {
  base: [
    { name: "core", uses: [], isGiven: rooms("api session ui prompts") },
    { name: "api", uses: rooms("core"), isGiven: rooms("session") },
    { name: "ui", uses: rooms("core api") },
    { name: "session", uses: rooms("core api ui") },
    { name: "navigation", uses: rooms("core") },
    { name: "files", uses: rooms("core api"), isGiven: rooms("listing actions uploads") },
    { name: "prompts", uses: rooms("core session") },
    { name: "open_site.ts", uses: rooms("core api session ui prompts") },
  ],
  files_page: [
    { name: "menu", uses: rooms("core files"), isGiven: rooms("listing") },
    { name: "selection", uses: rooms("core files menu"), isGiven: rooms("listing") },
    { name: "listing", uses: rooms("core api ui files menu selection") },
    { name: "drag", uses: rooms("core navigation files"), loads: rooms("layout") },
    { name: "sharing", uses: rooms("core api ui listing") },
    { name: "places", uses: rooms("core api files listing") },
    { name: "offline", uses: rooms("drag") },
    {
      name: "actions",
      uses: rooms("core api ui files listing drag places"),
      loads: rooms("search"),
    },
    { name: "info", uses: rooms("core api files listing sharing"), loads: rooms("editor") },
    { name: "uploads", uses: rooms("core api navigation files drag actions") },
    { name: "live", uses: rooms("core api files offline") },
    {
      name: "layout",
      uses: rooms(
        "core api session ui navigation files prompts open_site.ts menu listing drag sharing " +
          "places actions info uploads live",
      ),
      loads: rooms("preview editor music search terminal notifications"),
    },
  ],
  screens: [
    { name: "preview", uses: rooms("core api files menu listing live layout") },
    { name: "editor", uses: rooms("core api navigation files listing live layout preview") },
    { name: "music", uses: rooms("core api files listing preview") },
    { name: "search", uses: rooms("core api ui files listing menu selection") },
    { name: "terminal", uses: rooms("core api files") },
    { name: "notifications", uses: rooms("core api ui") },
    { name: "office", uses: rooms("core files navigation listing menu layout preview") },
    { name: "settings", uses: rooms("core api session ui navigation listing sharing info layout") },
    {
      name: "share_page",
      uses: rooms(
        "core api session ui files prompts open_site.ts menu listing sharing actions " +
          "layout office",
      ),
    },
    { name: "request_page", uses: rooms("core api session ui drag") },
    { name: "trash", uses: rooms("core api ui listing actions") },
    { name: "photos", uses: rooms("core files listing menu layout") },
  ],
};

/** The rooms of the browser in one list. */
export const CLIENT_ROOMS: readonly Room[] = Object.values(CLIENT_WINGS).flat();

/** Hooks that know what they return by its interface, and the module that opens it. */
export const PROVIDED: readonly { hooks: string; by: string }[] = [
  { hooks: "lib/client/base/core/use_site.ts", by: "lib/client/base/open_site.ts" },
  { hooks: "lib/client/base/files/use_files.ts", by: "lib/client/files_page/layout/open_files.ts" },
];
