import { resolve } from "node:path";
import { DomainError } from "../../shared/errors.ts";
import { StartRefusal } from "../config/refusal.ts";
import { resolveConfig } from "../config/resolve_config.ts";
import { findStore, namesRoot } from "../config/sources.ts";
import { isBelow } from "../disk/real_path.ts";
import { type StoreCommand, wordAt } from "./command.ts";
import { findNewFile, writeBackup } from "./store_copies.ts";

/** `backup <file>`: copies the store, while servers use it. */
export const backupCommand: StoreCommand = {
  name: "backup",
  words: "<file>",
  about: "copy the store into a new file; the server may be running",
  async runOnStore(call) {
    const named = wordAt(call, 0, "file");
    if (call.words.length > 1) {
      throw new DomainError("invalid_option", `Cannot use "${call.words[1]}": one file is enough`);
    }
    const database = findStore(call.environment);
    const file = findNewFile(named, resolve(call.cwd, named));
    if (namesRoot(call.environment)) {
      const { root } = resolveConfig(call.environment).config;
      if (isBelow(file, root)) {
        throw new StartRefusal(
          `Cannot write "${named}": it lies in the served folder, where users could read it`,
        );
      }
    }
    const { users, records, bytes } = await writeBackup(database, file, named);
    call.print(
      `Wrote ${records} records, ${users} users among them, into "${named}" ` +
        `(${Math.ceil(bytes / 1024)} KiB); it holds password hashes and the signing key`,
    );
  },
};
