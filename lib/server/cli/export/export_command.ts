import { join, resolve } from "node:path";
import { DomainError } from "../../../shared/errors.ts";
import { version } from "../../../shared/version.ts";
import { DiskError } from "../../core/disk/disk.ts";
import { asRealPath, isBelow } from "../../core/disk/real_path.ts";
import { disk } from "../../core/disk/this_disk.ts";
import { TrashRecords } from "../../files/trash/trash_records.ts";
import { type Call, type Command, wordAt } from "../command.ts";
import { writeJsonFile } from "../json_files.ts";
import {
  exportedGroups,
  exportedRequests,
  exportedSettings,
  exportedShares,
  exportedUsers,
  ownerIn,
  userNames,
} from "./exported_records.ts";
import { exportTrash } from "../../files/trash/export_trash.ts";

/** The files and folders of an export, each with what it contains, in Markdown. */
export const exportedFiles: readonly [name: string, contains: string][] = [
  ["users.json", "users with the bcrypt hashes of their passwords; `cubby users import` takes it"],
  ["groups.json", "groups, with the names of their members"],
  ["settings.json", "settings and stored options; `cubby config import` takes it"],
  [
    "shares.json",
    "shares with owner, path below the served folder, terms, end and hash of the password",
  ],
  ["requests.json", "requests for files, likewise"],
  ["trash.json", "what is in the two folders: where it was, when, and whose"],
  ["trash/", "deleted files and folders, as `OWNER/TIME/PATH`"],
  ["versions/", "previous versions of files, as `OWNER/PATH/TIME NAME`"],
];

const nameWidth = 1 + Math.max(...exportedFiles.map(([name]) => name.length));

const readme = `This folder was written by "cubby export". It is all that Cubby knows besides the
files that it serves, for people and for other programs.

${
  exportedFiles.map(([name, contains]) =>
    `${name.padEnd(nameWidth)}${contains.replaceAll("`", '"')}`
  )
    .join("\n")
}

Times are in UTC. Keep the folder secret: it contains hashes of passwords and links of shares.
`;

/** `export <folder>`: all that another program or a person needs to go on without this one. */
export const exportCommand: Command = {
  name: "export",
  words: "<folder>",
  about: "write users, shares and settings as JSON, the trash and previous versions as files",
  async run(call) {
    const { records, words, print } = call;
    const named = wordAt(call, 0, "folder");
    if (words.length > 1) {
      throw new DomainError("invalid_option", `Cannot use "${words[1]}": one folder is enough`);
    }
    const gate = await records.openGate(true);
    const spec = gate.spec();
    const folder = makeFolder(call, named, spec.root);
    const write = (name: string, value: unknown) =>
      writeJsonFile(call, join(folder, `${name}.json`), value);

    Deno.writeTextFileSync(join(folder, "README.txt"), readme, { mode: 0o600 });
    const users = await exportedUsers(records);
    const shares = await exportedShares(records);
    const requests = await exportedRequests(records);
    await write("users", users);
    await write("groups", await exportedGroups(records));
    await write("settings", await exportedSettings(records));
    await write("shares", shares);
    await write("requests", requests);
    const names = await userNames(records.users);
    const { entries, files, missed } = await filled(named, async () => {
      using target = disk.folder(asRealPath(folder));
      return await exportTrash(
        spec,
        new TrashRecords(records.store),
        target,
        (id) => ownerIn(names, id),
      );
    });
    await write("trash", { cubby: version, entries });
    print(
      `Wrote ${users.users.length} users, ${shares.shares.length} shares, ` +
        `${requests.requests.length} requests for files and ${entries.length} entries of the ` +
        `trash (${files} files) into "${named}"; it holds password hashes`,
    );
    for (const line of missed) print(`Left out: ${line}`);
    return missed.length > 0 ? 1 : 0;
  },
};

/**
 * Makes the folder, which only its owner may enter.
 *
 * @throws DomainError `exists`; `forbidden` in the served folder, or when it cannot be made
 */
function makeFolder({ cwd }: Call, named: string, root: string): string {
  const path = resolve(cwd, named);
  try {
    Deno.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw new DomainError("exists", `Cannot write "${named}": it exists already`);
    }
    throw new DomainError("forbidden", `Cannot write "${named}": it cannot be created`);
  }
  const real = Deno.realPathSync(path);
  if (!isBelow(real, Deno.realPathSync(root))) return real;
  Deno.removeSync(path);
  throw new DomainError(
    "forbidden",
    `Cannot write "${named}": it lies in the served folder, where users could read it`,
  );
}

async function filled<Result>(named: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DiskError && /^(?:ENOSPC|EDQUOT)$/.test(error.code))) throw error;
    throw new DomainError("disk_full", `Cannot write "${named}": its disk is full`);
  }
}
