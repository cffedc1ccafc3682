import { kinds, type Option, type OptionTable, readOption } from "./option.ts";
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
  help: "folder to serve",
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
    help: "port to listen on; 0 picks a free one",
    read: read.wholeNumber(0, 65_535),
    default: "8080",
    stored: true,
  },
  socket: {
    value: "PATH",
    help: "Unix socket to listen on, instead of an address and a port",
    read: findNew,
    member: null,
    stored: true,
    isPath: true,
    isHidden: true,
  },
  "socket-perm": {
    value: "MODE",
    help: "permission bits of the socket",
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
    help: "file of the store, or an https KV Connect URL",
    read: ({ text }, { cwd }) => findDatabase(text, cwd),
    default: "filebrowser.kv",
    otherwise: "./filebrowser.kv",
  },
  "database-ca": {
    value: "FILE",
    help: "CA certificates (PEM) for the store",
    read: findAuthorities,
    otherwise: "the default ones",
    member: null,
    isPath: true,
  },
  "database-shared": { help: "start although another server uses the same file of the store" },
  baseurl: {
    short: "b",
    value: "PATH",
    aliases: ["BASE_URL"],
    help: "URL path below which the server answers",
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
    help: "HSTS max-age in seconds; 0 clears it",
    read: read.orNone(read.wholeNumber(0, maxHsts)),
    otherwise: "no header",
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
    help: "folder of previews and indexes",
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
    help: "time between SIGTERM and closing the listener; readiness fails meanwhile",
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
    help: "name of the first administrator",
    read: read.readText,
    default: "admin",
  },
  password: {
    value: "PASSWORD",
    help: "password of the first administrator, or its bcrypt hash",
    otherwise: "random",
    secret: true,
  },
  "token-expiration-time": {
    value: "DURATION",
    help: "lifetime of a session, such as 90m or 1h30m",
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
    help: "addresses and CIDR blocks of proxies whose forwarding headers are trusted",
    read: read.readProxies,
    default: "",
    stored: true,
  },
  offload: {
    value: "HOW",
    help: "let the trusted proxy send files: nginx:/PREFIX/ or sendfile",
    read: read.readOffload,
    otherwise: "no",
    stored: true,
  },
} as const satisfies OptionTable;

/** Encoders of H.264 that FFmpeg may have: one for any processor, and those of hardware. */
const videoEncoders = [
  ...["libx264", "h264_vaapi", "h264_qsv", "h264_nvenc", "h264_v4l2m2m"] as const,
] as const;

/** One of {@linkcode videoEncoders}. */
export type VideoEncoder = typeof videoEncoders[number];

/** What the server does, and may do. */
export const featureOptions = {
  "api-compat": {
    value: "VERSION",
    help: "API dialect: spec, or 2.63 for clients of File Browser 2.63",
    read: read.word("spec", "2.63"),
    default: "spec",
    stored: true,
  },
  noauth: { help: "no sign-in: every visitor is the first user", member: null },
  "noauth-anywhere": {
    help: "allow noauth on an address that other machines can reach",
    member: null,
  },
  "disable-exec": {
    help: "no commands",
    default: "true",
    otherwise: "true; --disable-exec=false allows them",
    stored: true,
  },
  "exec-sandbox": {
    value: "KIND",
    help: "sandbox of commands: kernel or none",
    read: read.word("kernel", "none"),
    default: "kernel",
  },
  "disable-install": {
    help: "no installation as an app: no manifest, no service worker",
    stored: true,
  },
  "disable-media-programs": {
    help: "no previews of videos and PDF by ffmpeg and poppler",
    stored: true,
  },
  "video-encoder": {
    value: "NAME",
    help: `FFmpeg's encoder of converted videos: ${videoEncoders.join(", ")}`,
    read: read.word(...videoEncoders),
    default: "libx264",
    stored: true,
  },
  webdav: { help: "serve the files over WebDAV at /dav/", stored: true },
  "sync-clients": {
    help: "serve the sync clients of Nextcloud and ownCloud, at /remote.php/ and /ocs/",
    stored: true,
  },
  "windows-names": { help: "refuse new names that Windows cannot have", stored: true },
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
  import: { help: "import the File Browser database that --database names", member: null },
  "import-from": {
    value: "FILE",
    help: "File Browser database to import into the store that --database names",
    read: findNew,
    member: null,
    isHidden: true,
  },
} as const satisfies OptionTable;

/** The log, and the metrics. */
export const logOptions = {
  log: {
    short: "l",
    value: "WHERE",
    help: "where to log: stdout, stderr, or a file to append to",
    read: findLog,
    default: "stdout",
    stored: true,
    isPath: true,
  },
  "log-format": {
    value: "FORM",
    help: "log format: text, or json for one object per line",
    read: read.word("text", "json"),
    default: "text",
    stored: true,
  },
  "metrics-token-file": {
    ...kinds.secretFile,
    help: "file with the bearer token that GET /api/metrics requires; enables it",
  },
  "metrics-token": {
    value: "TOKEN",
    help: "the token itself (prefer FB_METRICS_TOKEN)",
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
    instead: "previews are cached on the disk; --cache-dir names the folder",
  },
  "image-processors": {
    aliases: ["IMG_PROCESSORS"],
    value: "COUNT",
    help: "",
    instead: "previews are made by as many threads as there are processors",
    usual: "4",
  },
  "disable-type-detection-by-header": {
    help: "",
    instead: "types come from names, and from the first bytes of a file without a known extension",
  },
  "disable-image-resolution-calc": { help: "", instead: "Cubby does not compute resolutions" },
  "follow-external-symlinks": {
    help: "",
    instead: "links never lead outside the root; mount the folder below it",
    isRefused: true,
  },
} as const satisfies OptionTable;

/** Options that print a text in place of a start. */
export const textOptions = {
  help: { short: "h", help: "show this help" },
  version: { help: "show the version" },
} as const satisfies OptionTable;
