/** The options of signing in by the passwords of an LDAP directory. */
import { type GivenValue, kinds, type Members, type OptionTable, type ReadFrom } from "./option.ts";
import {
  isSafe,
  missingPartnerError,
  readGroups,
  readSwitch,
  readTrimmed,
  refusedError,
} from "./values.ts";
import { StartRefusal } from "./refusal.ts";

/** The longest base, in characters: it is part of a key of the store. */
const maxBaseLength = 500;

/** See {@linkcode LdapDirectory}. */
export const ldapOptions = {
  "ldap-url": {
    value: "URLS",
    help: "LDAP servers, such as ldaps://host; the first that answers is used",
    read: readServers,
    default: "",
    member: "urls",
    stored: true,
  },
  "ldap-start-tls": {
    ...kinds.optionalSwitch,
    help: "upgrade ldap:// connections to TLS (StartTLS)",
  },
  "ldap-ca": {
    ...kinds.authorities,
    help: "CA certificates (PEM) for the directory",
  },
  "ldap-bind-dn": {
    value: "DN",
    help: "DN that looks users up",
    read: readTrimmed,
    default: "",
    otherwise: "anonymous",
    stored: true,
  },
  "ldap-bind-password": { ...kinds.secret, help: "password of that DN" },
  "ldap-bind-password-file": { ...kinds.secretFile, help: "file with the password of that DN" },
  "ldap-base": {
    value: "DN",
    help: "base DN of the users",
    read: readBase,
    default: "",
    stored: true,
  },
  "ldap-filter": {
    value: "FILTER",
    help: "filter that finds a user; {name} is the name typed",
    read: readFilter,
    default: "(uid={name})",
    stored: true,
  },
  "ldap-username-attribute": {
    value: "NAME",
    help: "attribute with the name of new users",
    read: readAttribute,
    default: "uid",
    stored: true,
  },
  "ldap-groups-attribute": {
    value: "NAME",
    help: "attribute with the groups",
    read: readAttribute,
    default: "memberOf",
    stored: true,
  },
  "ldap-groups": {
    value: "MAP",
    help: "groups that may sign in, with their permissions: GROUP=PERMISSION,…;GROUP=…",
    read: readGroups,
    otherwise: "all",
    stored: true,
  },
  "ldap-create-users": {
    ...kinds.optionalSwitch,
    help: "create a user for an entry that has none",
  },
  "ldap-link-users": {
    ...kinds.optionalSwitch,
    help: "link an entry to the existing user of the same name",
  },
} as const satisfies OptionTable;

type LdapValues = Members<typeof ldapOptions, "ldap-">;

/** An LDAP directory whose passwords count. */
export interface LdapDirectory extends LdapValues {
  /** The password of `bindDn`; both are "" for an anonymous bind. */
  bindPassword: string;
}

/**
 * Makes the directory; undefined without a server.
 *
 * @throws StartRefusal for the first error
 */
export function makeDirectory(values: LdapValues): LdapDirectory | undefined {
  // First `startTls`, which the servers depend on, so that its refusal is its own.
  const { startTls, urls, base } = values;
  if (urls.length === 0 && base === "") return undefined;
  if (urls.length === 0) throw missingPartnerError("ldap-base", "ldap-url");
  if (base === "") throw missingPartnerError("ldap-url", "ldap-base");
  const { bindDn, bindPassword = "" } = values;
  // A name without a password would be an unauthenticated bind (RFC 4513, 5.1.2).
  if (bindDn !== "" && bindPassword === "") {
    throw missingPartnerError("ldap-bind-dn", "ldap-bind-password");
  }
  if (bindDn === "" && bindPassword !== "") {
    throw missingPartnerError("ldap-bind-password", "ldap-bind-dn");
  }
  return { ...values, startTls, bindPassword };
}

/** Reads the servers. Passwords are sent there: encrypted, or to this machine. */
function readServers(value: GivenValue, { given }: ReadFrom): string[] {
  const tls = given("ldap-start-tls");
  const startTls = tls !== undefined && tls.text !== "" && readSwitch(tls);
  const addresses = value.text.split(/[\s,]+/).filter(Boolean);
  for (const address of addresses) {
    const url = URL.canParse(address) ? new URL(address) : null;
    const isPlain = url !== null && /^ldaps?:$/.test(url.protocol) && url.hostname !== "" &&
      /^\/?$/.test(url.pathname) && url.search === "" && url.hash === "" && url.username === "";
    if (!isPlain) {
      throw refusedError(value, "expected addresses of servers, such as ldaps://ldap.example");
    }
    const asHttp = { protocol: url.protocol.replace("ldap", "http"), hostname: url.hostname };
    if (startTls && url.protocol === "ldaps:") {
      throw new StartRefusal("Cannot use --ldap-start-tls: ldaps:// is encrypted from the start");
    }
    if (!startTls && !isSafe(asHttp)) {
      throw refusedError(
        value,
        "passwords would travel in plain text: use ldaps or --ldap-start-tls",
      );
    }
  }
  return addresses;
}

function readBase(value: GivenValue): string {
  const base = value.text.trim();
  if (base.length <= maxBaseLength) return base;
  throw refusedError(value, `expected at most ${maxBaseLength} characters`);
}

function readFilter(value: GivenValue): string | undefined {
  const filter = value.text.trim();
  if (filter === "") return undefined;
  if (/^\(.*\)$/s.test(filter) && filter.includes("{name}")) return filter;
  throw refusedError(value, 'expected a filter with "{name}", such as (uid={name})');
}

function readAttribute(value: GivenValue): string | undefined {
  const name = value.text.trim();
  if (/^(?:[A-Za-z][A-Za-z0-9-]*)?$/.test(name)) return name || undefined;
  throw refusedError(value, "expected the name of an attribute, such as uid");
}
