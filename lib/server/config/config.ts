/** How users prove who they are. */
export type AuthMethod = "json" | "noauth" | "proxy";

/** The process that runs commands for the server, which itself may run nothing. */
export interface CommandHost {
  /** The path of the socket where it is asked. */
  socket: string;
  /** Why it will run nothing, as there is no sandbox; null when there is. */
  refusal: string | null;
}

/** The site of a reCAPTCHA (version 2), whose widget visitors solve before they sign in. */
export interface Recaptcha {
  /** Where widget and verifier are: an origin such as `https://www.google.com`. */
  host: string;
  /** The site's key, which every visitor is told. */
  key: string;
  secret: string;
}

/**
 * The settings a server is started with: flags, then `FB_*` environment, then the config file,
 * then the store, then defaults. Plain data, so that it can be handed to another process or thread as JSON.
 */
export interface Config {
  /** The address to listen on. */
  address: string;
  /** 0 asks the system for a free port. */
  port: number;
  /** The served folder: absolute, links resolved. */
  root: string;
  /** The store: an absolute file path, `:memory:` (tests) or an https KV Connect URL. */
  database: string;
  /** Where previews and other rebuildable data lie: absolute. */
  cacheDir: string;
  /** "" or "/base", never with a trailing slash. */
  baseUrl: string;
  /** Paths of the TLS certificate chain and key (PEM); both or neither. */
  cert?: string;
  key?: string;
  /** Seconds for which browsers shall use nothing but https (HSTS); 0 ends that, absent says nothing. */
  hsts?: number;
  /** Life of a session token in milliseconds. */
  tokenLifeMs: number;
  authMethod: AuthMethod;
  /** The header that names the user when `authMethod` is "proxy", lower case. */
  authHeader: string;
  /** Names that the header tells and nobody has become users, under "proxy". */
  authCreateUsers: boolean;
  /** Peers (addresses or CIDR blocks) whose forwarding headers are believed. */
  trustedProxies: string[];
  /** Only under "json", where there is something to guess. */
  recaptcha?: Recaptcha;
  /** Number of serving threads, at least 1. */
  workers: number;
  disableExec: boolean;
  /** What holds commands: namespaces and Landlock, or, only when that is said, nothing. */
  execSandbox: "kernel" | "none";
  /** Started by the launcher when commands are on; without a launcher the server starts one. */
  commandHost?: CommandHost;
  disableThumbnails: boolean;
  disablePreviewResize: boolean;
  /** The first administrator's name, and password or bcrypt hash; for the first run only. */
  username: string;
  password?: string;
  /** The C library's real path, which the launcher finds; absent where there is none. */
  libc?: string;
  /** The branding folder that the settings named at the start: what the process may read. */
  brandingFolder?: string;
  /** Real paths that no user may reach although they may lie below the root: store, cache, config file. */
  reserved: string[];
  /** Real paths that are never changed, wherever they lie: the program's own files. */
  readOnly?: string[];
}
