import { forgetPlaces } from "../features/places/place_lists.ts";
import { Requests } from "../features/links/requests/requests.ts";
import { DomainError } from "../../shared/errors.ts";
import { type Call, type Command, wordAt } from "./command.ts";
import { exportCommand } from "./export/export_command.ts";
import { exportedSettings, exportedUsers } from "./export/exported_records.ts";
import { importConfig } from "./import/import_config.ts";
import { importDatabase } from "./import/import_database.ts";
import { freshAdmin } from "../features/accounts/users/fresh_admin.ts";
import { importUser, ownersOfNames, usersIn } from "./import/import_users.ts";
import { readJsonFile, writeJsonFile } from "./json_files.ts";

/** The commands that export records, and import them from another server or File Browser. */
export const transferCommands: Command[] = [
  {
    name: "users export",
    words: "<file>",
    about: "export all users to a new JSON file, with their password hashes",
    async run(call) {
      const exported = await exportedUsers(call.records);
      const file = wordAt(call, 0, "file");
      await writeJsonFile(call, file, exported);
      call.print(`Wrote ${exported.users.length} users into "${file}"`);
    },
  },
  {
    name: "users import",
    store: "made",
    words: "<file>",
    about: "import users from an export of this program or of File Browser",
    flags: [{ name: "overwrite" }, { name: "replace" }],
    run: importUsers,
  },
  {
    name: "config export",
    words: "<file>",
    about: "export the settings to a new JSON file",
    async run(call) {
      const file = wordAt(call, 0, "file");
      await writeJsonFile(call, file, await exportedSettings(call.records));
      call.print(`Wrote the settings into "${file}"`);
    },
  },
  {
    name: "config import",
    store: "made",
    words: "<file>",
    about: "import settings from an export of this program or of File Browser",
    run: importConfig,
  },
  {
    name: "import",
    store: "made",
    words: "<filebrowser.db>",
    about: "import a File Browser database: users, shares, settings",
    flags: [{ name: "dry-run" }, { name: "overwrite" }],
    run: importDatabase,
  },
  exportCommand,
];

async function importUsers(call: Call): Promise<void> {
  const { records: { users, settings, shares, store, passwords, note }, flags, print } = call;
  const { records, isOwn } = usersIn(await readJsonFile(call, wordAt(call, 0, "file")));
  const replace = flags.get("replace") === "true";
  const overwrite = replace || flags.get("overwrite") === "true";
  const unused = await freshAdmin(store);
  const owners = ownersOfNames(records);
  const options = { isOwn, overwrite, unused, owners, users, note, settings: await settings.get() };
  let missed = 0;
  const named = new Set<string>();
  for (const record of records) {
    const { message, isImported, username } = await importUser(record, options);
    print(message);
    if (!isImported) missed++;
    if (username) named.add(username.trim().normalize("NFC"));
  }
  if (replace && missed === 0) {
    for (const user of await users.list()) {
      if (named.has(user.username)) continue;
      await users.remove(user.id);
      await note("user_remove", { subject: user.username });
      await shares.removeOf(user.id);
      await new Requests(store, passwords).removeOf(user.id);
      await forgetPlaces(store, user.id);
      print(`Removed: the user "${user.username}", who is not in the file`);
    }
  }
  if (missed > 0) {
    throw new DomainError(
      "invalid_body",
      `Cannot import all users: ${missed} of ${records.length} are missing`,
    );
  }
}
