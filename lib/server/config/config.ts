/** The authentication method. */
export type AuthMethod = "json" | "noauth" | "proxy";

/**
 * What clients expect where the specification and File Browser 2.63 differ: the form of search
 * results and the status of a deletion.
 */
export type ApiCompat = "spec" | "2.63";

/** The process that runs commands for the server, which itself may run no program. */
export interface CommandHost {
  /** The path of its UNIX socket. */
  socket: string;
  /** Why it refuses all commands, without a sandbox; null when there is one. */
  refusal: string | null;
}

/** The process that runs programs that read uploaded files, such as ffmpeg, for the server. */
export interface ReaderHost {
  /** The path of its UNIX socket. */
  socket: string;
  /** The paths of the programs that were found at the start, by their names. */
  programs: Record<string, string>;
  /** Why it can run none of them, without a sandbox; null when it can. */
  refusal: string | null;
}

/** The site of a reCAPTCHA (version 2), whose widget visitors solve before they sign in. */
export interface Recaptcha {
  /** The origin of widget and verifier, such as `https://www.google.com`. */
  host: string;
  /** The site key, which is public. */
  key: string;
  secret: string;
}

/** A Unix socket that is listened on. */
export interface UnixSocket {
  /** Its absolute path. */
  path: string;
  /** Its permission bits. */
  mode: number;
}

/**
 * The settings of a server, by precedence: flags, `FB_*` environment, config file, store, defaults.
 * Plain data, so that it can be passed to another process or thread as JSON.
 */
export interface Config {
  /** The address to listen on. */
  address: string;
  /** 0 for any free port. */
  port: number;
  /** The Unix socket to listen on, instead of address and port. */
  socket?: UnixSocket;
  /** The standard stream or the file (absolute) that the log goes to. */
  log: "stdout" | "stderr" | { file: string };
  /** The served folder: absolute, symlinks resolved. */
  root: string;
  /** The store: an absolute file path, `:memory:` (tests) or an https KV Connect URL. */
  database: string;
  /** The folder of previews and other rebuildable data: absolute. */
  cacheDir: string;
  /** "" or "/base", never with a trailing slash. */
  baseUrl: string;
  /** Paths of the TLS certificate chain and key (PEM); both or neither. */
  cert?: string;
  key?: string;
  /** `max-age` of HSTS in seconds; 0 ends it, absent sends no header. */
  hsts?: number;
  /** Life of a session token in milliseconds. */
  tokenLifeMs: number;
  apiCompat: ApiCompat;
  authMethod: AuthMethod;
  /** The header that names the user when `authMethod` is "proxy", lower case. */
  authHeader: string;
  /** Creates users for unknown names in the header, under "proxy". */
  authCreateUsers: boolean;
  /** Peers (addresses or CIDR blocks) whose forwarding headers are trusted. */
  trustedProxies: string[];
  /** Only under "json", where passwords can be guessed. */
  recaptcha?: Recaptcha;
  /** Number of serving threads, at least 1. */
  workers: number;
  disableExec: boolean;
  /** Sandbox of commands: namespaces and Landlock or, only if set explicitly, none. */
  execSandbox: "kernel" | "none";
  /** Started by the launcher when commands are enabled; without a launcher, by the server. */
  commandHost?: CommandHost;
  /** Started by the launcher when a program is found; without a launcher, by the server. */
  readerHost?: ReaderHost;
  /** Whether a launcher has started all that this process may use. */
  launched?: boolean;
  /** Permission bits of new files and folders; the system's, by the process's mask, when absent. */
  fileMode?: number;
  dirMode?: number;
  disableInstall: boolean;
  /** Starts no host of programs such as ffmpeg. */
  disableMediaPrograms: boolean;
  disableThumbnails: boolean;
  disablePreviewResize: boolean;
  /** The first administrator's name, and password or bcrypt hash; for the first run only. */
  username: string;
  password?: string;
  /** The C library's real path, found by the launcher; absent where there is none. */
  libc?: string;
  /** The branding folder in the settings at the start, which the process may read. */
  brandingFolder?: string;
  /** Real paths hidden from all users, even below the root: store, cache, config file. */
  reserved: string[];
  /** Real paths that are read-only: the program's own files. */
  readOnly?: string[];
}
