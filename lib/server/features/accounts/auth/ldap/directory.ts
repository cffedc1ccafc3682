import { isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { Client, Filter, InvalidCredentialsError, ResultCodeError } from "ldapts";
import type { Entry } from "ldapts";
import type { LdapDirectory } from "../../../../core/config/ldap_options.ts";
import { canonicalDn, ownNameOf } from "./distinguished_name.ts";

/** Timeout of a server, for the connection and for each of its answers, in milliseconds. */
const timeoutMs = 5_000;

/** The attributes that identify an entry for good, the first that it has. */
const idAttributes = ["entryUUID", "objectGUID", "ipaUniqueID", "nsUniqueId"];

/** A user's entry in the directory, whose password was right. */
export interface DirectoryAccount {
  dn: string;
  /** The identifier that survives a rename or a move of the entry; its DN where there is none. */
  id: string;
  username: string | null;
  /** As the directory lists them; those that are DNs also in canonical form and by their name. */
  groups: string[];
}

/**
 * An answer of {@linkcode askDirectory}: `unknown` is no entry, or several; `away` is no server
 * that answers, or lets us look users up. Reasons are for the log; null for a wrong password.
 */
export type DirectoryAnswer =
  | { is: "right"; account: DirectoryAccount }
  | { is: "unknown" | "away"; reason: string }
  | { is: "wrong"; reason: string | null };

/**
 * Looks a user up, and verifies the password by binding with it. Referrals are not followed.
 *
 * @param name as it was typed
 * @param password not empty: a bind without one proves nothing (RFC 4513, 5.1.2)
 * @param assertMayGuess called with the entry's identifier before its password is compared
 * @throws what that throws
 */
export async function askDirectory(
  directory: LdapDirectory,
  name: string,
  password: string,
  assertMayGuess: (id: string) => Promise<void>,
): Promise<DirectoryAnswer> {
  let reason = "";
  for (const url of directory.urls) {
    await using client = new Client({
      ...{ url, timeout: timeoutMs, connectTimeout: timeoutMs },
      // These options would have a connection to `ldap:` encrypted, too.
      ...url.startsWith("ldaps:") && { tlsOptions: tlsOptions(directory, url) },
    });
    let entry: Entry | string;
    try {
      if (directory.startTls) await client.startTLS(tlsOptions(directory, url));
      if (directory.bindDn !== "") await client.bind(directory.bindDn, directory.bindPassword);
      entry = await find(client, directory, name);
    } catch (error) {
      reason = `${url}: ${textOf(error)}`;
      continue;
    }
    if (typeof entry === "string") return { is: "unknown", reason: entry };
    await assertMayGuess(idOf(entry));
    try {
      await client.bind(entry.dn, password);
    } catch (error) {
      if (error instanceof InvalidCredentialsError) return { is: "wrong", reason: null };
      const is = error instanceof ResultCodeError ? "wrong" : "away";
      return { is, reason: `${url}: ${textOf(error)}` };
    }
    return { is: "right", account: accountOf(entry, directory) };
  }
  return { is: "away", reason };
}

/** The one entry of a name, or why there is none. */
async function find(
  client: Client,
  { base, filter, usernameAttribute, groupsAttribute }: LdapDirectory,
  name: string,
): Promise<Entry | string> {
  const { searchEntries } = await client.search(base, {
    scope: "sub",
    filter: filter.replaceAll("{name}", () => Filter.escape(name)),
    attributes: [usernameAttribute, groupsAttribute, ...idAttributes],
    explicitBufferAttributes: ["objectGUID"],
    derefAliases: "never",
    timeLimit: timeoutMs / 1000,
  });
  const [entry, another] = searchEntries;
  if (!entry) return "there is no such entry";
  return another ? "there are several such entries" : entry;
}

function accountOf(
  entry: Entry,
  { usernameAttribute, groupsAttribute }: LdapDirectory,
): DirectoryAccount {
  const [username = null] = valuesOf(entry, usernameAttribute);
  const listed = valuesOf(entry, groupsAttribute);
  const named = listed.flatMap((dn) => [canonicalDn(dn) ?? [], ownNameOf(dn) ?? []].flat());
  return { dn: entry.dn, id: idOf(entry), username, groups: [...listed, ...named] };
}

function idOf(entry: Entry): string {
  return idAttributes.flatMap((name) => valuesOf(entry, name))[0] ?? entry.dn.toLowerCase();
}

/** The values of an attribute, whose name the server may spell in another case. */
function valuesOf(entry: Entry, attribute: string): string[] {
  const name = Object.keys(entry).find((key) => key.toLowerCase() === attribute.toLowerCase());
  const values = name === undefined ? [] : [entry[name] ?? []].flat();
  return values.map((value) => typeof value === "string" ? value : value.toString("hex"))
    .filter((value) => value !== "");
}

/** The certificate has to be the server's, be that named or given by its address. */
function tlsOptions({ ca }: LdapDirectory, url: string): ConnectionOptions {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, ...isIP(host) === 0 && { servername: host }, ...ca !== undefined && { ca } };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
