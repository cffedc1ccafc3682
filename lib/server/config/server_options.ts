import { type Option, type OptionTable, readOption } from "./option.ts";
import { kinds } from "./option_kinds.ts";
import {
  findAuthorities,
  findCacheDir,
  findDatabase,
  findFile,
  findLog,
  findNew,
  findRoot,
} from "./places.ts";
import { authOptions } from "./sign_in_options.ts";
import * as read from "./values.ts";

/** A thread costs about 40 MB; more than this is a typing error. */
const maxWorkers = 256;

/** Two years: HSTS preload lists ask for no more. */
const maxHsts = 63_072_000;

const root = {
  short: "r",
  value: "FOLDER",
  help: "the served folder",
  read: ({ text }, { cwd }) => findRoot(text, cwd),
  default: ".",
  otherwise: "the current one",
  stored: true,
  isPath: true,
} as const satisfies Option;

/** Where the server listens, and where it keeps what it has. */
export const listenOptions = {
  address: {
    short: "a",
    value: "ADDRESS",
    help: "address to listen on",
    read: read.readAddress,
    default: "127.0.0.1",
    stored: true,
  },
  port: {
    short: "p",
    value: "PORT",
    help: "port to listen on, 0 for any",
    read: read.wholeNumber(0, 65_535),
    default: "8080",
    stored: true,
  },
  socket: {
    value: "PATH",
    help: "the Unix socket to listen on, instead of an address and a port",
    read: findNew,
    member: null,
    stored: true,
    isPath: true,
    isHidden: true,
  },
  "socket-perm": {
    value: "MODE",
    help: "permission bits of that socket",
    // File Browser's default is written in decimal digits.
    read: (value) => value.text === "438" ? 0o666 : read.readMode(value),
    default: "0660",
    member: null,
    stored: true,
  },
  root,
  database: {
    short: "d",
    value: "FILE",
    help: "the store, or an https KV Connect URL",
    read: ({ text }, { cwd }) => findDatabase(text, cwd),
    default: "filebrowser.kv",
    otherwise: "./filebrowser.kv",
  },
  "database-ca": {
    value: "FILE",
    help: "certificates (PEM) of the authority that the store's is signed by",
    read: findAuthorities,
    otherwise: "the usual ones",
    member: null,
    isPath: true,
  },
  baseurl: {
    short: "b",
    value: "PATH",
    aliases: ["BASE_URL"],
    help: "path below which all is served",
    read: read.readBaseUrl,
    default: "",
    member: "baseUrl",
    stored: true,
  },
  cert: {
    short: "t",
    value: "FILE",
    help: "TLS certificate chain (PEM)",
    read: findFile,
    stored: true,
    isPath: true,
  },
  key: {
    short: "k",
    value: "FILE",
    help: "TLS key (PEM)",
    read: findFile,
    stored: true,
    isPath: true,
    isHidden: true,
  },
  hsts: {
    value: "SECONDS",
    help: "have browsers keep to https for so long, 0 to end it",
    read: read.orNone(read.wholeNumber(0, maxHsts)),
    otherwise: "not said",
    stored: true,
  },
  config: {
    short: "c",
    value: "FILE",
    help: "config file",
    otherwise: ".filebrowser.json",
    member: null,
  },
  "cache-dir": {
    value: "FOLDER",
    help: "previews and the like",
    read: ({ text }, from) => findCacheDir(text, from.cwd, readOption({ root }, "root", from)),
    otherwise: ".cubby-cache beside the store",
    member: null,
    stored: true,
    isPath: true,
  },
  workers: {
    value: "COUNT",
    help: "number of serving threads",
    read: read.wholeNumber(1, maxWorkers),
    default: "1",
    stored: true,
  },
  "drain-delay": {
    value: "DURATION",
    help: "once told to stop, serve on for so long while readiness says no",
    read: read.readDelay,
    default: "0",
    member: "drainDelayMs",
    stored: true,
  },
} as const satisfies OptionTable;

/** The first administrator, and sessions. */
export const accountOptions = {
  username: {
    value: "NAME",
    help: "the first administrator's name",
    read: read.readText,
    default: "admin",
  },
  password: {
    value: "PASSWORD",
    help: "the first administrator's password, or its bcrypt hash",
    otherwise: "random",
    secret: true,
  },
  "token-expiration-time": {
    value: "DURATION",
    help: "life of a session, such as 90m or 1h30m",
    read: read.readDuration,
    default: "2h",
    member: "tokenLifeMs",
    stored: true,
  },
} as const satisfies OptionTable;

/** A reverse proxy in front of the server. */
export const proxyOptions = {
  "trusted-proxies": {
    value: "LIST",
    help: "addresses and CIDR blocks whose forwarding headers count",
    read: read.readProxies,
    default: "",
    stored: true,
  },
  offload: {
    value: "HOW",
    help: "the trusted proxy sends files: nginx:/PREFIX/ or sendfile",
    read: read.readOffload,
    otherwise: "no",
    stored: true,
  },
} as const satisfies OptionTable;

/** What the server does, and may do. */
export const featureOptions = {
  "api-compat": {
    value: "VERSION",
    help: "whose API clients expect: spec, or File Browser's of 2.63",
    read: read.word("spec", "2.63"),
    default: "spec",
    stored: true,
  },
  noauth: { help: "no sign-in: everybody is the first user", member: null },
  "noauth-anywhere": { help: "allow noauth on an address that others can reach", member: null },
  "disable-exec": {
    help: "no commands",
    default: "true",
    otherwise: "on; --disable-exec=false allows them",
    stored: true,
  },
  "exec-sandbox": {
    value: "KIND",
    help: "what holds commands: kernel, or none for nothing at all",
    read: read.word("kernel", "none"),
    default: "kernel",
  },
  "disable-install": {
    help: "pages cannot be installed as an app: no manifest, no service worker",
    stored: true,
  },
  "disable-media-programs": {
    help: "no previews of videos and PDF by ffmpeg and poppler",
    stored: true,
  },
  webdav: { help: "serve the files by WebDAV, at /dav/", stored: true },
  "disable-thumbnails": { help: "no small previews", stored: true },
  "disable-preview-resize": { help: "no large previews", stored: true },
  "file-mode": {
    value: "MODE",
    help: "permission bits of new files, such as 0640",
    read: read.readMode,
    otherwise: "the system's",
    stored: true,
  },
  "dir-mode": {
    value: "MODE",
    help: "permission bits of new folders, such as 0750",
    read: read.readMode,
    otherwise: "the system's",
    stored: true,
  },
  import: { help: "take over the File Browser database that --database names", member: null },
} as const satisfies OptionTable;

/** The log, and the metrics. */
export const logOptions = {
  log: {
    short: "l",
    value: "WHERE",
    help: "stdout, stderr, or a file that the log is appended to",
    read: findLog,
    default: "stdout",
    stored: true,
    isPath: true,
  },
  "log-format": {
    value: "FORM",
    help: "text, or json for one object a line",
    read: read.word("text", "json"),
    default: "text",
    stored: true,
  },
  "metrics-token-file": {
    ...kinds.secretFile,
    help: "switches GET /api/metrics on, for those with the token in it",
  },
  "metrics-token": {
    value: "TOKEN",
    help: "the same, with the token itself (FB_METRICS_TOKEN)",
    read: read.orNone(read.readToken),
    member: null,
    secret: true,
  },
} as const satisfies OptionTable;

/** The options whose values are members of the configuration, as they are. */
export const plainOptions = {
  ...listenOptions,
  ...accountOptions,
  ...authOptions,
  ...proxyOptions,
  ...featureOptions,
  ...logOptions,
};

/**
 * The options that only File Browser has, with what to do instead, so that its config files and
 * scripts are understood.
 */
export const foreignOptions = {
  "redis-cache-url": {
    value: "URL",
    help: "",
    instead: "previews are kept on the disk; --cache-dir says where",
  },
  "image-processors": {
    value: "COUNT",
    help: "",
    instead: "previews are made by as many threads as there are processors",
    usual: "4",
  },
  "disable-type-detection-by-header": {
    help: "",
    instead:
      "types are told by names, and by the first bytes of a single file whose name tells none",
  },
  "disable-image-resolution-calc": { help: "", instead: "no call computes resolutions" },
  "follow-external-symlinks": {
    help: "",
    instead: "no link leads out of the root; mount the folder below it",
    isRefused: true,
  },
} as const satisfies OptionTable;

/** Options that print a text in place of a start. */
export const textOptions = {
  help: { short: "h", help: "show this help" },
  version: { help: "show the version" },
} as const satisfies OptionTable;
