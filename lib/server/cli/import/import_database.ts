import { boundedTime } from "../../../shared/time.ts";
import { resolve } from "node:path";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, joinPaths, parsePath, ROOT } from "../../../shared/path.ts";
import { type ForeignRecord, readForeignRecords } from "../../features/filebrowser/records.ts";
import { isBcryptHash } from "../../features/accounts/passwords/bcrypt.ts";
import { readSettings } from "../../features/settings/settings.ts";
import type { Share } from "../../features/links/shares/share.ts";
import { readUserDraft } from "../../features/accounts/users/read_user.ts";
import { fieldsOf } from "../../features/accounts/users/user.ts";
import type { UserFields } from "../../../shared/schemas/user.ts";
import { saveSettings } from "../activities.ts";
import { type Call, wordAt } from "../command.ts";
import { translateConfig, translateUser } from "./foreign.ts";
import { translateServer } from "./foreign_server.ts";
import { storeOptions } from "./import_config.ts";
import { freshAdmin, gainsOf, storeUser } from "./import_users.ts";

/** A user that is ready to be stored. */
interface Newcomer {
  /** The id in the other database, by which shares name their owner. */
  id: unknown;
  fields: UserFields;
  passwordHash: string;
  /** The permissions that the other program did not give, though the user is an administrator. */
  gains: string[];
}

/** A share that is ready to be stored, once its owner has an id. */
type NewShare = Omit<Share, "userId"> & { owner: Newcomer };

/**
 * Takes a whole database of File Browser over: users, shares, settings and options. All of it is
 * read and validated before the first record is written. An import that was interrupted is
 * completed by the next one.
 *
 * @throws DomainError for the first record that can't be taken: nothing is stored then
 */
export async function importDatabase(call: Call): Promise<void> {
  const { records, flags, print, cwd } = call;
  const isDry = flags.get("dry-run") === "true";
  const foreign = readForeignRecords(resolve(cwd, wordAt(call, 0, "file")));

  const { data, omitted } = translateConfig({ settings: foreign.settings });
  const settings = readSettings(data, await records.settings.get());
  const server = translateServer({ ...foreign });
  const users = foreign.users.map((record) => readUser(record, settings));
  const { shares, left } = readShares(foreign.links, users);

  const overwrite = flags.get("overwrite") === "true";
  const { note } = records;
  const storing = { users: records.users, overwrite, note, unused: await freshAdmin(records) };
  for (const user of users) {
    const name = user.fields.username;
    print(isDry ? `Would import: the user "${name}"` : await storeUser(user, storing));
    if (user.gains.length > 0) {
      print(`  as an administrator, the user gains: ${user.gains.join(", ")}`);
    }
  }
  for (const share of isDry ? [] : shares) await storeShare(call, share);
  print(`${isDry ? "Would import" : "Imported"}: ${shares.length} shares`);
  for (const line of left) print(line);
  if (!isDry) await saveSettings(records, settings);
  print(`${isDry ? "Would import" : "Imported"}: the settings ${Object.keys(data).join(", ")}`);
  const options = new Map([...server.options, ["api-compat", "2.63"]]);
  if (isDry) print(`Would import for the next start: ${[...options.keys()].join(", ")}`);
  else await storeOptions(call, options);
  for (const each of [...omitted, ...server.omitted]) print(`Left out: ${each}`);
}

function readUser(
  record: ForeignRecord,
  settings: Parameters<typeof readUserDraft>[1],
): Newcomer {
  const name = typeof record.username === "string" ? record.username : "";
  const { password, id, ...rest } = translateUser(record).data;
  if (typeof password !== "string" || !isBcryptHash(password)) {
    throw refusedError(name, "its password is not a bcrypt hash");
  }
  try {
    const fields = fieldsOf(readUserDraft(rest, settings));
    return { id, fields, passwordHash: password, gains: gainsOf(record, fields) };
  } catch (error) {
    if (error instanceof DomainError) throw refusedError(name, error.message);
    throw error;
  }
}

function refusedError(name: string, reason: string): DomainError {
  return new DomainError("invalid_body", `Cannot import the user "${name}": ${reason}`);
}

/** The shares that still open something, and a line about each of the others. */
function readShares(
  links: readonly ForeignRecord[],
  users: readonly Newcomer[],
): { shares: NewShare[]; left: string[] } {
  const shares: NewShare[] = [];
  const left: string[] = [];
  for (const link of links) {
    const hash = typeof link.hash === "string" ? link.hash : "";
    const owner = users.find(({ id }) => id === link.userID);
    const expire = typeof link.expire === "number"
      ? Math.floor(boundedTime(Math.max(0, link.expire) * 1000) / 1000)
      : 0;
    const reason = !/^[\w-]{1,64}$/.test(hash)
      ? "its address is malformed"
      : !owner
      ? "its owner is gone"
      : expire !== 0 && expire * 1000 <= Date.now()
      ? "it has expired"
      : null;
    if (reason !== null || !owner) {
      left.push(`Left out: the share "${hash}": ${reason}`);
      continue;
    }
    const secret = link.password_hash;
    const passwordHash = typeof secret === "string" && secret !== "" ? secret : null;
    if (passwordHash !== null && !isBcryptHash(passwordHash)) {
      throw new DomainError(
        "invalid_body",
        `Cannot import the share "${hash}": its password is not a bcrypt hash`,
      );
    }
    const scope = parsePath(owner.fields.scope).path;
    const path = joinPaths(scope, pathOf(link.path));
    shares.push({ hash, owner, path, place: path, expire, passwordHash });
  }
  return { shares, left };
}

/** File Browser stores paths with and without slashes at both ends. */
function pathOf(path: unknown): EntryPath {
  return typeof path === "string" ? parsePath(`/${path}`).path : ROOT;
}

async function storeShare({ records }: Call, { owner, ...share }: NewShare): Promise<void> {
  const user = await records.users.byName(owner.fields.username);
  if (!user) return;
  await records.shares.adopt({ ...share, userId: user.id });
  await records.note("share_add", { path: share.place, subject: share.hash });
}
