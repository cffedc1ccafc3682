import { commandNames } from "./app_folder.ts";
import { foreignOptions } from "./foreign_options.ts";
import { mailOptions } from "./mail_options.ts";
import { authOptions, ldapOptions, oidcOptions, recaptchaOptions } from "./sign_in_options.ts";
import { webhookOptions } from "./webhook_options.ts";

/** A flag of a command line. */
export interface Flag {
  /** The long name, without dashes. */
  name: string;
  /** The letter of the short form. */
  short?: string;
  /** The placeholder of its value in the help; absent for a switch, which may stand alone. */
  value?: string;
}

/** A setting of the server. */
export interface StartOption extends Flag {
  /** Description for the help. */
  about: string;
  /** Whether the store may keep it; not for the store's own location and authentication. */
  stored?: true;
  /** The value is the path of a file or folder. */
  isPath?: true;
  /** It is File Browser's alone: what to do instead. Not in the help. */
  instead?: string;
  /** The start is refused with it, since going on would be unsafe or another thing. */
  isRefused?: true;
  /** The value that asks for what happens anyway. */
  usual?: string;
}

/** Every option, in the order of the help. Names and letters are File Browser's where it has one. */
export const startOptions = [
  {
    name: "address",
    short: "a",
    value: "ADDRESS",
    about: "address to listen on (127.0.0.1)",
    stored: true,
  },
  {
    name: "port",
    short: "p",
    value: "PORT",
    about: "port to listen on, 0 for any (8080)",
    stored: true,
  },
  {
    name: "socket",
    value: "PATH",
    about: "the Unix socket to listen on, instead of an address and a port",
    stored: true,
    isPath: true,
  },
  {
    name: "socket-perm",
    value: "MODE",
    about: "permission bits of that socket (0660)",
    stored: true,
  },
  {
    name: "root",
    short: "r",
    value: "FOLDER",
    about: "the served folder (the current one)",
    stored: true,
    isPath: true,
  },
  {
    name: "database",
    short: "d",
    value: "FILE",
    about: "the store, or an https KV Connect URL (./filebrowser.kv)",
  },
  {
    name: "database-ca",
    value: "FILE",
    about: "certificates (PEM) of the authority that the store's is signed by (the usual ones)",
    isPath: true,
  },
  {
    name: "baseurl",
    short: "b",
    value: "PATH",
    about: "path below which all is served",
    stored: true,
  },
  {
    name: "cert",
    short: "t",
    value: "FILE",
    about: "TLS certificate chain (PEM)",
    stored: true,
    isPath: true,
  },
  {
    name: "key",
    short: "k",
    value: "FILE",
    about: "TLS key (PEM)",
    stored: true,
    isPath: true,
  },
  {
    name: "hsts",
    value: "SECONDS",
    about: "have browsers keep to https for so long, 0 to end it (not said)",
    stored: true,
  },
  { name: "config", short: "c", value: "FILE", about: "config file (.filebrowser.json)" },
  {
    name: "cache-dir",
    value: "FOLDER",
    about: "previews and the like (.cubby-cache beside the store)",
    stored: true,
    isPath: true,
  },
  { name: "workers", value: "COUNT", about: "number of serving threads (1)", stored: true },
  {
    name: "drain-delay",
    value: "DURATION",
    about: "once told to stop, serve on for so long while readiness says no (0)",
    stored: true,
  },
  { name: "username", value: "NAME", about: "the first administrator's name (admin)" },
  {
    name: "password",
    value: "PASSWORD",
    about: "the first administrator's password, or its bcrypt hash (random)",
  },
  {
    name: "token-expiration-time",
    value: "DURATION",
    about: "life of a session, such as 90m or 1h30m (2h)",
    stored: true,
  },
  ...authOptions,
  {
    name: "trusted-proxies",
    value: "LIST",
    about: "addresses and CIDR blocks whose forwarding headers count",
    stored: true,
  },
  {
    name: "offload",
    value: "HOW",
    about: "the trusted proxy sends files: nginx:/PREFIX/ or sendfile (no)",
    stored: true,
  },
  ...recaptchaOptions,
  ...oidcOptions,
  ...ldapOptions,
  ...webhookOptions,
  ...mailOptions,
  {
    name: "api-compat",
    value: "VERSION",
    about: "whose API clients expect: spec, or File Browser's of 2.63 (spec)",
    stored: true,
  },
  { name: "noauth", about: "no sign-in: everybody is the first user" },
  { name: "noauth-anywhere", about: "allow noauth on an address that others can reach" },
  {
    name: "disable-exec",
    about: "no commands (on; --disable-exec=false allows them)",
    stored: true,
  },
  {
    name: "exec-sandbox",
    value: "KIND",
    about: "what holds commands: kernel, or none for nothing at all (kernel)",
  },
  {
    name: "disable-install",
    about: "pages cannot be installed as an app: no manifest, no service worker",
    stored: true,
  },
  {
    name: "disable-media-programs",
    about: "no previews of videos and PDF by ffmpeg and poppler",
    stored: true,
  },
  {
    name: "webdav",
    about: "serve the files by WebDAV, at /dav/",
    stored: true,
  },
  { name: "disable-thumbnails", about: "no small previews", stored: true },
  { name: "disable-preview-resize", about: "no large previews", stored: true },
  {
    name: "file-mode",
    value: "MODE",
    about: "permission bits of new files, such as 0640 (the system's)",
    stored: true,
  },
  {
    name: "dir-mode",
    value: "MODE",
    about: "permission bits of new folders, such as 0750 (the system's)",
    stored: true,
  },
  { name: "import", about: "take over the File Browser database that --database names" },
  {
    name: "log",
    short: "l",
    value: "WHERE",
    about: "stdout, stderr, or a file that the log is appended to (stdout)",
    stored: true,
    isPath: true,
  },
  {
    name: "log-format",
    value: "FORM",
    about: "text, or json for one object a line (text)",
    stored: true,
  },
  {
    name: "metrics-token-file",
    value: "FILE",
    about: "switches GET /api/metrics on, for those with the token in it",
    stored: true,
    isPath: true,
  },
  {
    name: "metrics-token",
    value: "TOKEN",
    about: "the same, with the token itself (FB_METRICS_TOKEN)",
  },
  ...foreignOptions,
  { name: "help", short: "h", about: "show this help" },
  { name: "version", about: "show the version" },
] as const satisfies readonly StartOption[];

/** The name of an option. */
export type OptionName = typeof startOptions[number]["name"];

/** The options that the store may keep. */
export const storedOptions = startOptions.filter((option) => "stored" in option);

/** A value from one source. */
export interface GivenValue {
  text: string;
  /** Name for messages: `--port`, `FB_PORT`, `"port" in "/etc/filebrowser/.filebrowser.json"`. */
  source: string;
  /** How to change it, where that is not obvious. */
  hint?: string;
}

/** The values from one source. */
export type GivenValues = Map<OptionName, GivenValue>;

/** The values from the store. Names unknown to this version are ignored. */
export function givenFrom(kept: Readonly<Record<string, string>>): GivenValues {
  return new Map(
    storedOptions.filter(({ name }) => kept[name] !== undefined).map(({ name }) => [name, {
      text: kept[name] ?? "",
      source: `the stored "${name}"`,
      hint: `"${commandNames.cubby} config set --${name}" changes what is stored`,
    }]),
  );
}

const byPlainName = new Map<string, StartOption & { name: OptionName }>(
  startOptions.map((option) => [plainName(option.name), option]),
);

/**
 * Finds an option by any spelling of its name: `cache-dir`, `cacheDir`, `CACHE_DIR`, `auth.method`,
 * `auth.recaptcha.key`.
 */
export function findOption(name: string): (StartOption & { name: OptionName }) | undefined {
  const plain = plainName(name);
  return byPlainName.get(plain) ?? byPlainName.get(plain.replace(/^auth(?=recaptcha)/, ""));
}

/** Normalises the spelling of an option's name. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]/g, "");
}
