import { isIP } from "node:net";
import { isLoopback } from "../../../shared/loopback.ts";
import { readBlocks } from "./trusted_proxies.ts";
import type { GivenValue } from "./option.ts";
import { StartRefusal } from "./refusal.ts";
import { type PermissionName, permissionNames } from "../../../shared/schemas/choices/choices.ts";
import { hourMs, minuteMs } from "../../../shared/time.ts";

/** Reads `true`, `false` and the other spellings of Go's ParseBool, as File Browser does. */
export function readSwitch(value: GivenValue): boolean {
  if (/^(1|t|true)$/i.test(value.text)) return true;
  if (/^(0|f|false)$/i.test(value.text)) return false;
  throw refusedError(value, "expected true or false");
}

/**
 * Wraps a reader, so that an empty value leaves an option at its default: it overrides another
 * source's value.
 */
export function orNone<Value>(
  read: (value: GivenValue) => Value,
): (value: GivenValue) => Value | undefined {
  return (value) => value.text === "" ? undefined : read(value);
}

/** Makes the reader of a whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): (value: GivenValue) => number {
  return (value) => {
    const number = /^\d{1,9}$/.test(value.text) ? Number(value.text) : NaN;
    if (number >= min && number <= max) return number;
    throw refusedError(value, `expected a whole number from ${min} to ${max}`);
  };
}

/** Reads permission bits in octal digits, such as `0640`; an empty value leaves them to the system. */
export function readMode(value: GivenValue): number | undefined {
  if (value.text === "") return undefined;
  if (/^0?[0-7]{3}$/.test(value.text)) return parseInt(value.text, 8);
  throw refusedError(value, "expected permission bits in octal digits, such as 0640");
}

const unitMs = { h: hourMs, m: minuteMs, s: 1000 };

/** Reads a duration that may be none: `0`, or as {@linkcode readDuration} does. */
export function readDelay(value: GivenValue): number {
  return /^0[hms]?$/.test(value.text) ? 0 : readDuration(value);
}

/** Reads a duration such as `2h`, `90m` or `1h30m` into milliseconds. */
export function readDuration(value: GivenValue): number {
  const parts = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/.exec(value.text);
  const [, hours = 0, minutes = 0, seconds = 0] = parts ?? [];
  const ms = Number(hours) * unitMs.h + Number(minutes) * unitMs.m + Number(seconds) * unitMs.s;
  if (ms > 0) return ms;
  throw refusedError(value, "expected a duration such as 2h, 90m or 1h30m");
}

/**
 * Reads the address to listen on: an IPv4 or IPv6 address, with or without brackets, or a host
 * name. An empty one means all addresses, as for File Browser.
 */
export function readAddress(value: GivenValue): string {
  const address = value.text.replace(/^\[(.*)\]$/, "$1");
  if (address === "") return "0.0.0.0";
  const isName = /^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i;
  if (isIP(address) > 0) return address;
  // A malformed IPv4 address would otherwise count as a host name, and be resolved.
  if (isName.test(address) && !/^[\d.]+$/.test(address)) return address.toLowerCase();
  throw refusedError(value, "expected an IP address or a host name");
}

/** Reads the base URL into "" or "/base", without a slash at the end. */
export function readBaseUrl(value: GivenValue): string {
  const path = value.text.replace(/^\/*/, "/").replace(/\/+$/, "");
  const isPlain = /^(\/(?!\.\.?(\/|$))[\w.~-]+)*$/.test(path);
  if (isPlain) return path;
  throw refusedError(value, "expected a path such as /files, of letters, digits and - _ . ~");
}

/**
 * Reads the origin of another server into the form `https://host` or `https://host:8443`. Requests
 * to it contain secrets: it must be https, or loopback.
 */
export function readOrigin(value: GivenValue): string {
  const url = URL.canParse(value.text) ? new URL(value.text) : null;
  if (url && `${url.origin}/` === url.href && isSafe(url)) return url.origin;
  throw refusedError(
    value,
    "expected an https address without a path, such as https://www.google.com",
  );
}

/** Whether secrets may be sent there: over https, or to this machine. */
export function isSafe({ protocol, hostname }: Pick<URL, "protocol" | "hostname">): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return protocol === "https:" || (protocol === "http:" && isLoopback(address));
}

/** Reads a header's name (RFC 9110, token) into lower case. */
export function readHeaderName(value: GivenValue): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(value.text)) return value.text.toLowerCase();
  throw refusedError(value, "expected the name of a header");
}

/** Reads a comma list of addresses and CIDR blocks. */
export function readProxies(value: GivenValue): string[] {
  const list = value.text.split(",").map((entry) => entry.trim()).filter(Boolean);
  try {
    readBlocks(list);
  } catch {
    throw refusedError(value, "expected addresses and CIDR blocks, separated by commas");
  }
  return list;
}

/**
 * How a proxy sends files in place of this server: nginx by a location of its own, which names the
 * served folder, others by the path on the disk.
 */
export type Offload = { kind: "nginx"; prefix: string } | { kind: "sendfile" };

/**
 * Reads how a proxy sends files: `nginx:/prefix/`, `sendfile`, or an empty value, which overrides
 * another source's.
 */
export function readOffload(value: GivenValue): Offload | undefined {
  const { text } = value;
  if (text === "") return undefined;
  if (text === "sendfile") return { kind: "sendfile" };
  const [, prefix] = /^nginx:(\/(?:(?!\.\.?\/)[\w.~-]+\/)+)$/.exec(text) ?? [];
  if (prefix !== undefined) return { kind: "nginx", prefix };
  throw refusedError(value, "expected nginx:/PREFIX/, with a slash at both ends, or sendfile");
}

/** Reads a bearer token (RFC 6750, 2.1) that cannot be guessed; it is not repeated in the refusal. */
export function readToken({ text, source }: GivenValue): string {
  if (/^[\w.~+/-]{16,512}=*$/.test(text)) return text;
  throw new StartRefusal(
    `Cannot use ${source}: expected 16 to 512 letters, digits and - . _ ~ + /`,
  );
}

/** Makes the reader of one of a set of words. */
export function word<const Words extends readonly string[]>(
  ...words: Words
): (value: GivenValue) => Words[number] {
  return (value) => {
    const found = words.find((word) => word === value.text);
    if (found !== undefined) return found;
    throw refusedError(value, `expected ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`);
  };
}

/** Reads a text without the white space around it. */
export function readTrimmed({ text }: GivenValue): string {
  return text.trim();
}

/** Reads a text without the white space around it; undefined when nothing is left. */
export function readFilled({ text }: GivenValue): string | undefined {
  return text.trim() || undefined;
}

/** Reads a text that is not blank. */
export function readText(value: GivenValue): string {
  if (value.text.trim() !== "") return value.text;
  throw refusedError(value, "it is empty");
}

/** The refusal of a value. */
export function refusedError(value: GivenValue, reason: string): StartRefusal {
  return new StartRefusal(`Cannot use ${value.source} ${JSON.stringify(value.text)}: ${reason}`);
}

/** Refuses an option that is useless without another. */
export function missingPartnerError(there: string, missing: string): StartRefusal {
  return new StartRefusal(`Cannot use --${there}: --${missing} must be given as well`);
}

/** Refuses one of two options that go together only, where the other one has no value. */
export function refuseHalf(name: string, value = "", other: string, otherValue = ""): void {
  if ((value === "") === (otherValue === "")) return;
  const [there, missing] = value === "" ? [other, name] : [name, other];
  throw missingPartnerError(there, missing);
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

/**
 * Reads what the members of groups may do: `GROUP=PERMISSION,…;GROUP=…`, where `*` is everybody and
 * `default` what new users start with; `@NAME` puts them in a group of Cubby. A group's name may
 * have an equals sign itself, as those of LDAP do. Undefined for an empty text.
 *
 * @throws StartRefusal for a group without a name, twice the same, or an unknown permission
 */
export function readGroups(value: GivenValue): readonly GroupRights[] | undefined {
  const entries = value.text.split(";").map((entry) => entry.trim()).filter(Boolean);
  if (entries.length === 0) return undefined;
  const groups = entries.map((entry): GroupRights => {
    const end = entry.lastIndexOf("=");
    const group = entry.slice(0, Math.max(end, 0)).trim();
    if (group === "") throw refusedError(value, `"${entry}" is not of the form GROUP=PERMISSION,…`);
    const words = entry.slice(end + 1).split(",").map((word) => word.trim()).filter(Boolean);
    const [joining = [], others = []] = [true, false].map((isGroup) =>
      words.filter((word) => /^@./.test(word) === isGroup)
    );
    const joins = joining.map((word) => word.slice(1).trim().normalize("NFC"));
    const rest = joins.length > 0 ? { joins } : {};
    if (others.join() === "default") return { group, may: "default", ...rest };
    return { group, may: others.map((word) => readPermission(value, word)), ...rest };
  });
  if (new Set(groups.map(({ group }) => group)).size === groups.length) return groups;
  throw refusedError(value, "it names a group twice");
}

function readPermission(value: GivenValue, word: string): PermissionName {
  const name = permissionNames.find((name) => name === word);
  if (name !== undefined) return name;
  throw refusedError(
    value,
    `"${word}" is not a permission; expected ${permissionNames.join(", ")}`,
  );
}
