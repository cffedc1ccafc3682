import type { LdapDirectory } from "./config.ts";
import type { GivenValue, OptionName } from "./options.ts";
import { readGroups } from "./read_groups.ts";
import { half, readAuthorities, readSecret, readSwitchOrNone } from "./read_sign_in.ts";
import { StartRefusal } from "./refusal.ts";
import { isSafe, refused, type ValueOf } from "./values.ts";

/** The longest base, in characters: it is part of a key of the store. */
const longestBase = 500;

/**
 * Reads the LDAP directory whose passwords count; undefined without a server. An empty value
 * overrides another source's.
 *
 * @throws StartRefusal for the first error
 */
export function readLdap(valueOf: ValueOf, cwd: string): LdapDirectory | undefined {
  const text = (name: OptionName, usual = "") =>
    valueOf(name, ({ text }) => text.trim() || usual, usual);
  const isOn = (name: OptionName) => valueOf(name, readSwitchOrNone, false);
  const startTls = isOn("ldap-start-tls");
  const urls = valueOf("ldap-url", (value) => readServers(value, startTls), []);
  const base = valueOf("ldap-base", readBase, "");
  if (urls.length === 0 && base === "") return undefined;
  if (urls.length === 0) throw half("ldap-base", "ldap-url");
  if (base === "") throw half("ldap-url", "ldap-base");
  const bindDn = text("ldap-bind-dn");
  const bindPassword = readSecret(valueOf, cwd, "ldap-bind-password") ?? "";
  // A name without a password would be an unauthenticated bind (RFC 4513, 5.1.2).
  if (bindDn !== "" && bindPassword === "") throw half("ldap-bind-dn", "ldap-bind-password");
  if (bindDn === "" && bindPassword !== "") throw half("ldap-bind-password", "ldap-bind-dn");
  return {
    ...{ urls, startTls, bindDn, bindPassword, base },
    ca: valueOf("ldap-ca", (value) => readAuthorities(value, cwd), undefined),
    filter: valueOf("ldap-filter", readFilter, usualFilter),
    usernameAttribute: valueOf("ldap-username-attribute", readAttribute, "") || "uid",
    groupsAttribute: valueOf("ldap-groups-attribute", readAttribute, "") || "memberOf",
    groups: valueOf("ldap-groups", readGroups, undefined),
    createUsers: isOn("ldap-create-users"),
    linkUsers: isOn("ldap-link-users"),
  };
}

const usualFilter = "(uid={name})";

/** Reads the servers. Passwords are sent there: encrypted, or to this machine. */
function readServers(value: GivenValue, startTls: boolean): string[] {
  const addresses = value.text.split(/[\s,]+/).filter(Boolean);
  for (const address of addresses) {
    const url = URL.canParse(address) ? new URL(address) : null;
    const isPlain = url !== null && /^ldaps?:$/.test(url.protocol) && url.hostname !== "" &&
      /^\/?$/.test(url.pathname) && url.search === "" && url.hash === "" && url.username === "";
    if (!isPlain) {
      throw refused(value, "expected addresses of servers, such as ldaps://ldap.example");
    }
    const asHttp = { protocol: url.protocol.replace("ldap", "http"), hostname: url.hostname };
    if (startTls && url.protocol === "ldaps:") {
      throw new StartRefusal("Cannot use --ldap-start-tls: ldaps:// is encrypted from the start");
    }
    if (!startTls && !isSafe(asHttp)) {
      throw refused(
        value,
        "passwords would be readable on the way: use ldaps, or --ldap-start-tls",
      );
    }
  }
  return addresses;
}

function readBase(value: GivenValue): string {
  const base = value.text.trim();
  if (base.length <= longestBase) return base;
  throw refused(value, `expected at most ${longestBase} characters`);
}

function readFilter(value: GivenValue): string {
  const filter = value.text.trim();
  if (filter === "") return usualFilter;
  if (/^\(.*\)$/s.test(filter) && filter.includes("{name}")) return filter;
  throw refused(value, 'expected a filter with "{name}", such as (uid={name})');
}

function readAttribute(value: GivenValue): string {
  const name = value.text.trim();
  if (/^(?:[A-Za-z][A-Za-z0-9-]*)?$/.test(name)) return name;
  throw refused(value, "expected the name of an attribute, such as uid");
}
