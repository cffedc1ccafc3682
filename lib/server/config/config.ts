import type { Mailbox } from "../../shared/mailbox.ts";
import type { PermissionName } from "../../shared/schemas/choices/choices.ts";

/** The authentication method. */
export type AuthMethod = "json" | "hook" | "noauth" | "proxy";

/** Whether users sign in here by a name and a password, wherever those are verified. */
export function takesPasswords({ authMethod }: Pick<Config, "authMethod">): boolean {
  return authMethod === "json" || authMethod === "hook";
}

/** Whether users sign in by passwords that are kept here. */
export function keepsPasswords({ authMethod, oidc }: Pick<Config, "authMethod" | "oidc">): boolean {
  return authMethod === "json" && !oidc?.only;
}

/**
 * The dialect of clients where the specification and File Browser 2.63 differ: the form of search
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

/**
 * How a proxy sends files in place of this server: nginx by a location of its own, which names the
 * served folder, others by the path on the disk.
 */
export type Offload = { kind: "nginx"; prefix: string } | { kind: "sendfile" };

/** The site of a reCAPTCHA (version 2), whose widget visitors solve before they sign in. */
export interface Recaptcha {
  /** The origin of widget and verifier, such as `https://www.google.com`. */
  host: string;
  /** The site key, which is public. */
  key: string;
  secret: string;
}

/** The permissions here of the members of a group of accounts elsewhere. */
export interface GroupRights {
  /** The group's name; "*" for everybody. */
  group: string;
  /** Permissions, or those that new users start with. */
  may: readonly PermissionName[] | "default";
  /** The names of groups here that they are put in; absent for none. */
  joins?: readonly string[];
}

/** Which accounts of another server may sign in, and as whom. */
export interface AccountRules {
  /** Members of none of these may not sign in; absent where groups say nothing. */
  groups?: readonly GroupRights[];
  /** Creates users for accounts that have none. */
  createUsers: boolean;
  /** Gives an account the existing user of its name. */
  linkUsers: boolean;
}

/** A provider of OpenID Connect whose accounts may sign in. */
export interface OidcProvider extends AccountRules {
  /** Its issuer identifier, to the letter. */
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string;
  /** Certificates (PEM) of authorities that count for it besides the usual ones. */
  ca?: string;
  /** The scopes to request, separated by spaces; `openid` is among them. */
  scopes: string;
  /** Its name on the button of the sign-in page. */
  name: string;
  /** The claim that is the name of a new user. */
  usernameClaim: string;
  /** The claim that lists the groups; its members are separated by dots. */
  groupsClaim: string;
  /** Mail addresses count as verified where the provider does not say whether they are. */
  trustEmail?: boolean;
  /** Nobody signs in by a password. */
  only: boolean;
  /** Signing out here leads to signing out there. */
  logout: boolean;
  /** Origins of it besides the issuer's, found at the start. */
  origins?: string[];
}

/** An LDAP directory whose passwords count. */
export interface LdapDirectory extends AccountRules {
  /** Its servers (`ldaps:`, or `ldap:`), asked in this order until one answers. */
  urls: readonly string[];
  /** Connections to `ldap:` are encrypted before anything is said. */
  startTls: boolean;
  /** Certificates (PEM) of authorities that count for it besides the usual ones. */
  ca?: string;
  /** The entry as which users are looked up; "" for an anonymous bind. */
  bindDn: string;
  bindPassword: string;
  /** The entry below which users are. */
  base: string;
  /** The filter that finds a user; `{name}` is the typed name, escaped. */
  filter: string;
  /** The attribute that is the name of a new user. */
  usernameAttribute: string;
  /** The attribute that lists the groups. */
  groupsAttribute: string;
}

/** Where webhooks may be sent. */
export interface WebhookRights {
  ports: number[];
  /** Addresses and CIDR blocks that count though they are not those of the internet. */
  privateNetworks: string[];
  /** Also without encryption. */
  http: boolean;
  /** Certificates (PEM) of authorities that count for receivers besides the usual ones. */
  ca?: string;
}

/** The SMTP server that mail is handed to. */
export interface MailServer {
  host: string;
  port: number;
  /** Encrypted before anything is said, from the start, or not at all: on this machine alone. */
  tls: "starttls" | "tls" | "none";
  /** Certificates (PEM) of authorities that count for it besides the usual ones. */
  ca?: string;
  /** The account to sign in with there; none without one. */
  account?: { user: string; password: string };
  from: Mailbox;
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
  /** Lines for people, or a JSON object a line. */
  logFormat: "text" | "json";
  /** The served folder: absolute, symlinks resolved. */
  root: string;
  /** The store: an absolute file path, `:memory:` (tests) or a KV Connect URL. */
  database: string;
  /** Path of certificates (PEM) of authorities that count besides the usual ones. */
  databaseCa?: string;
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
  /** The command line that knows the passwords when `authMethod` is "hook". */
  authCommand?: string;
  /** The header that names the user when `authMethod` is "proxy", lower case. */
  authHeader: string;
  /** Creates users for unknown names in the header or of the command, under "proxy" and "hook". */
  authCreateUsers: boolean;
  /** Peers (addresses or CIDR blocks) whose forwarding headers are trusted. */
  trustedProxies: string[];
  /** Has the trusted proxies send files; absent to send them itself. */
  offload?: Offload;
  /** Only under "json", where passwords can be guessed. */
  recaptcha?: Recaptcha;
  /** Only under "json": its accounts sign in besides those who know a password. */
  oidc?: OidcProvider;
  /** The directory whose passwords count besides those of the users here. */
  ldap?: LdapDirectory;
  /** Absent while there are no webhooks. */
  webhooks?: WebhookRights;
  /** Sends mail; absent where none is sent. */
  mail?: MailServer;
  /** Once told to stop, how long it serves on while readiness says no, in milliseconds. */
  drainDelayMs: number;
  /** The token of `GET /api/metrics`; absent while that call is off. */
  metricsToken?: string;
  /** Number of serving threads, at least 1. */
  workers: number;
  disableExec: boolean;
  /** Sandbox of commands: namespaces and Landlock or, only if set explicitly, none. */
  execSandbox: "kernel" | "none";
  /** Started by the launcher when commands are enabled; without a launcher, by the server. */
  commandHost?: CommandHost;
  /** Started by the launcher when a program is found; without a launcher, by the server. */
  readerHost?: ReaderHost;
  /** Names this process among others on one store; by the launcher. */
  node?: string;
  /** Whether a launcher has started all that this process may use. */
  launched?: boolean;
  /** Permission bits of new files and folders; the system's, by the process's mask, when absent. */
  fileMode?: number;
  dirMode?: number;
  disableInstall: boolean;
  /** Starts no host of programs such as ffmpeg. */
  disableMediaPrograms: boolean;
  /** Serves files by WebDAV at `/dav/`. */
  webdav: boolean;
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
