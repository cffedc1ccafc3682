import { basename, dirname, join, resolve } from "node:path";
import { isBelow } from "../disk/real_path.ts";
import type { GivenValue, ReadFrom } from "./option.ts";
import { StartRefusal } from "./refusal.ts";
import { isLocalHttp } from "../../../shared/loopback.ts";
import type { Config } from "./config.ts";
import type { MailServer } from "./mail_options.ts";

/** The store that the platform provides, as Deno Deploy does: for `deno serve` alone. */
export const platformStore = ":default:";

/**
 * Finds the folder to serve.
 *
 * @param said the path, also for messages such as `Cannot serve "x": …`
 * @throws StartRefusal when it is missing, not a folder, or not readable
 */
export function findRoot(given: string, cwd: string): string {
  const refusedError = (reason: string) => new StartRefusal(`Cannot serve "${given}": ${reason}`);
  try {
    const root = Deno.realPathSync(resolve(cwd, given));
    if (!Deno.statSync(root).isDirectory) throw refusedError("it is not a folder");
    Deno.readDirSync(root)[Symbol.iterator]().next();
    return root;
  } catch (error) {
    throw error instanceof StartRefusal ? error : refusedError(reasonOf(error, "folder"));
  }
}

/**
 * Finds the store: a real file path (its folder must exist, the file need not), or `:memory:`,
 * `:default:` or a KV Connect URL unchanged.
 *
 * @throws StartRefusal when it is not a file, the folder is missing, or the URL is neither of https nor
 * of http on this machine
 */
export function findDatabase(given: string, cwd: string): string {
  const refusedError = (reason: string) =>
    new StartRefusal(`Cannot use the database "${given}": ${reason}`);
  if (given === ":memory:" || given === platformStore) return given;
  const [scheme = ""] = /^[a-z][a-z\d+.-]*:\/\//i.exec(given) ?? [];
  if (scheme !== "") {
    const url = scheme.toLowerCase() + given.slice(scheme.length);
    const isSafe = scheme.toLowerCase() === "https://" || isLocalHttp(url);
    if (isSafe && URL.canParse(url)) return url;
    throw refusedError("a remote store has an https URL; http is only for this machine");
  }
  const path = resolve(cwd, given);
  try {
    const kind = oddKind(path);
    if (kind !== null) throw refusedError(`it is ${kind}; name a file with --database`);
    return realPathOfNew(path);
  } catch (error) {
    throw error instanceof StartRefusal ? error : refusedError(reasonOf(error, "file's folder"));
  }
}

/** Whether the store is reached over the network. */
export function isRemote(database: string): boolean {
  return /^https?:/.test(database);
}

/** The TCP port of a URL. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port) || usualPorts[protocol] || 443;
}

const usualPorts: Record<string, number> = { "http:": 80, "ldap:": 389, "ldaps:": 636 };

/** Whether the store is a file on this machine. */
export function isFileDatabase(database: string): boolean {
  return database !== ":memory:" && database !== platformStore && !isRemote(database);
}

/** SQLite's files of a store. */
export function databaseFiles(database: string): string[] {
  if (!isFileDatabase(database)) return [];
  return [database, `${database}-wal`, `${database}-shm`, `${database}-journal`];
}

/**
 * Finds the cache folder, which need not exist yet.
 *
 * @throws StartRefusal when it is a file, or contains the served folder: it is hidden from users
 */
export function findCacheDir(given: string, cwd: string, root: string): string {
  const refusedError = (reason: string) =>
    new StartRefusal(`Cannot keep the cache in "${given}": ${reason}`);
  const path = resolve(cwd, given);
  try {
    const cacheDir = realPathOfNew(path);
    if (isBelow(root, cacheDir)) throw refusedError("the served folder lies in it");
    return cacheDir;
  } catch (error) {
    throw error instanceof StartRefusal
      ? error
      : refusedError(reasonOf(error, "folder it lies in"));
  }
}

/**
 * Finds a file that must exist and be readable.
 *
 * @throws StartRefusal `Cannot use --cert "x.pem": the file does not exist`
 */
export function findFile(value: GivenValue, { cwd }: Pick<ReadFrom, "cwd">): string {
  try {
    const path = Deno.realPathSync(resolve(cwd, value.text));
    Deno.readFileSync(path);
    return path;
  } catch (error) {
    throw new StartRefusal(
      `Cannot use ${value.source} "${value.text}": ${reasonOf(error, "file")}`,
    );
  }
}

/** As {@linkcode findFile}; undefined for "", which overrides another source's. */
export function findOptionalFile(
  value: GivenValue,
  { cwd }: Pick<ReadFrom, "cwd">,
): string | undefined {
  return value.text === "" ? undefined : findFile(value, { cwd });
}

/**
 * Finds a file of certificates that authorities are known by.
 *
 * @throws StartRefusal also when there is none in it
 */
export function findAuthorities(value: GivenValue, { cwd }: Pick<ReadFrom, "cwd">): string {
  const path = findFile(value, { cwd });
  if (Deno.readTextFileSync(path).includes("-----BEGIN CERTIFICATE-----")) return path;
  throw new StartRefusal(`Cannot use ${value.source} "${value.text}": it has no certificate (PEM)`);
}

/**
 * The place of an entry that the start makes; undefined for "".
 *
 * @throws StartRefusal without a folder for it
 */
export function findNew(value: GivenValue, { cwd }: Pick<ReadFrom, "cwd">): string | undefined {
  if (value.text === "") return undefined;
  try {
    return realPathOfNew(resolve(cwd, value.text));
  } catch (error) {
    throw new StartRefusal(
      `Cannot use ${value.source} "${value.text}": ${reasonOf(error, "folder")}`,
    );
  }
}

/** Finds where the log goes: a standard stream, or a file; undefined for "". */
export function findLog(
  value: GivenValue,
  from: Pick<ReadFrom, "cwd">,
): "stdout" | "stderr" | { file: string } | undefined {
  if (value.text === "stdout" || value.text === "stderr") return value.text;
  const file = findNew(value, from);
  return file === undefined ? undefined : { file };
}

/** Reads the certificates in a file; undefined without one. */
export function readAuthorities(
  value: GivenValue,
  from: Pick<ReadFrom, "cwd">,
): string | undefined {
  return value.text === "" ? undefined : Deno.readTextFileSync(findAuthorities(value, from));
}

/** The real path of an existing entry, or of a new one in an existing folder. */
function realPathOfNew(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return join(Deno.realPathSync(dirname(path)), basename(path));
  }
}

/** The kind of an entry that is no file, for a sentence: `a pipe`; null for a file, or for nothing. */
export function oddKind(path: string): string | null {
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(path);
  } catch {
    return null;
  }
  if (info.isFile) return null;
  if (info.isDirectory) return "a folder";
  if (info.isFifo) return "a pipe";
  return info.isSocket ? "a socket" : "a device";
}

function reasonOf(error: unknown, what: string): string {
  if (error instanceof Deno.errors.NotFound) return `the ${what} does not exist`;
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.NotADirectory) return "a parent of the path is not a folder";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}

/**
 * The addresses of the servers that this one connects to, besides that of its store: for the rights
 * of the process.
 */
export function askedServers(
  { recaptcha, oidc, ldap, mail, office }: Pick<
    Config,
    "recaptcha" | "oidc" | "ldap" | "mail" | "office"
  >,
): string[] {
  return [
    ...recaptcha ? [recaptcha.host] : [],
    ...oidc ? [new URL(oidc.issuer).origin, ...oidc.origins ?? []] : [],
    ...ldap?.urls ?? [],
    ...mail ? [mailServerUrl(mail)] : [],
    ...office ? [office.url] : [],
  ];
}

/** The address of the server that mail is handed to, with its port. */
export function mailServerUrl({ host, port, tls }: MailServer): string {
  const scheme = tls === "tls" ? "smtps" : "smtp";
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
