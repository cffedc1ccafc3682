import type { LdapDirectory } from "./ldap_options.ts";
import type { MailServer } from "./mail_options.ts";
import type { OfficeServer } from "./office_options.ts";
import type { OidcProvider } from "./oidc_options.ts";
import type { Members } from "./option.ts";
import type { plainOptions } from "./server_options.ts";
import type { AuthMethod, Recaptcha } from "./sign_in_options.ts";
import type { WebhookRights } from "./webhook_options.ts";

/** Whether users sign in here by a name and a password, wherever those are verified. */
export function takesPasswords({ authMethod }: Pick<Config, "authMethod">): boolean {
  return authMethod === "json" || authMethod === "hook";
}

/** Whether users sign in by passwords that are kept here. */
export function keepsPasswords({ authMethod, oidc }: Pick<Config, "authMethod" | "oidc">): boolean {
  return authMethod === "json" && !oidc?.only;
}

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

/** A Unix socket that is listened on. */
export interface UnixSocket {
  /** Its absolute path. */
  path: string;
  /** Its permission bits. */
  mode: number;
}

/**
 * The settings of a server, by precedence: flags, `FB_*` environment, config file, store, defaults.
 * Plain data, so that it can be passed to another process or thread as JSON. Most members are the
 * values of options, by their names in camel case; see {@linkcode plainOptions}.
 */
export interface Config extends Members<typeof plainOptions> {
  /** The Unix socket to listen on, instead of address and port. */
  socket?: UnixSocket;
  /** Path of certificates (PEM) of authorities that count besides the usual ones. */
  databaseCa?: string;
  /** The folder of previews and other rebuildable data: absolute. */
  cacheDir: string;
  authMethod: AuthMethod;
  /** The command line that knows the passwords when `authMethod` is "hook". */
  authCommand?: string;
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
  /** Edits documents; absent where there is none. */
  office?: OfficeServer;
  /** The token of `GET /api/metrics`; absent while that call is off. */
  metricsToken?: string;
  /** Started by the launcher when commands are enabled; without a launcher, by the server. */
  commandHost?: CommandHost;
  /** Started by the launcher when a program is found; without a launcher, by the server. */
  readerHost?: ReaderHost;
  /** Names this process among others on one store; by the launcher. */
  node?: string;
  /** Whether a launcher has started all that this process may use. */
  launched?: boolean;
  /** The C library's real path, found by the launcher; absent where there is none. */
  libc?: string;
  /** The branding folder in the settings at the start, which the process may read. */
  brandingFolder?: string;
  /** Real paths hidden from all users, even below the root: store, cache, config file. */
  reserved: string[];
  /** Real paths that are read-only: the program's own files. */
  readOnly?: string[];
}
