import { DomainError } from "../../../shared/errors.ts";
import { readSettings } from "../../features/settings/settings.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import { StartRefusal } from "../../core/config/refusal.ts";
import { saveSettings } from "../activities.ts";
import { type Call, wordAt } from "../command.ts";
import { ownServer, translateServer } from "./foreign_server.ts";
import { readForeignSettings } from "./import_settings.ts";
import { readJsonFile } from "../json_files.ts";
import { together } from "../../core/config/options.ts";
import { readConfig } from "../../core/config/resolve_config.ts";
import { checkedOptions } from "../server_flags.ts";

/**
 * Imports the settings of a file, and the server options that are valid here.
 *
 * @throws DomainError for the first error in the settings of an own export, of which none is stored
 * then
 */
export async function importConfig(call: Call): Promise<void> {
  const { records, print } = call;
  const content = await readJsonFile(call, wordAt(call, 0, "file"));
  if (!isRecord(content) || !isRecord(content.settings)) {
    throw new DomainError("invalid_body", "Cannot read the settings: the file has none");
  }
  const { settings: given } = content;
  const current = await records.settings.get();
  const isOwn = "cubby" in content;
  const { settings, names, notes } = isOwn
    ? { settings: readSettings(given, current), names: Object.keys(given), notes: [] }
    : readForeignSettings({ settings: given }, current);
  const server = isOwn
    ? { options: ownServer(content.server), omitted: [], needs: [] }
    : translateServer(content);
  await saveSettings(records, settings);
  print(`Imported: ${names.join(", ")}`);
  for (const note of notes) print(`  ${note}`);
  await storeOptions(call, server.options);
  for (const note of server.needs) print(`  ${note}`);
  for (const note of server.omitted) print(`Left out: ${note}`);
}

/**
 * Stores the options for the next start, related ones together; prints those that are invalid here.
 * Whether they agree with options that the server alone is given, its start decides: a sign-in
 * method that was dropped here would let others in.
 */
export async function storeOptions(
  { records: { serverOptions, note }, environment, print }: Call,
  options: ReadonlyMap<string, string>,
): Promise<void> {
  const alone = [...options.keys()].filter((name) => !together.flat().includes(name));
  const taken: string[] = [];
  for (const names of [...alone.map((name) => [name]), ...together]) {
    const given = new Map([...options].filter(([name]) => names.includes(name)));
    try {
      const kept = await serverOptions.get();
      const checked = checkedOptions(given, kept, environment, readConfig);
      await serverOptions.update(checked);
      taken.push(...Object.keys(checked));
    } catch (error) {
      if (!(error instanceof StartRefusal)) throw error;
      print(`Left out: ${[...given.keys()].map((name) => `server.${name}`)} (${error.message})`);
    }
  }
  if (taken.length === 0) return;
  await note("settings_change", { subject: taken.map((name) => `server.${name}`).join(", ") });
  print(`Imported for the next start: ${taken.join(", ")}`);
}
