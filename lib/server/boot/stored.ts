import { settingsRecord } from "../core/kv/server_records.ts";
import { ServerOptionsStore } from "../features/settings/server_options.ts";
import { givenFrom, type GivenValues } from "../core/config/options.ts";
import { isRemote } from "../core/config/places.ts";
import { checkStore, holdsStore, openingError, prepareFile } from "./prepare_data.ts";
import { resolveConfig, type ResolvedConfig } from "../core/config/resolve_config.ts";
import { findStore, findStoreAuthorities, type LaunchEnvironment } from "../core/config/sources.ts";

/** The settings in a store that apply at the start of the server. */
interface Stored {
  given: GivenValues;
  /** The folder with the site's own style sheet and logo; undefined when there is none. */
  brandingFolder?: string;
}

/**
 * Reads the settings from all sources, the store among them. The store is open for that moment
 * only.
 *
 * @throws StartRefusal for the first thing that is wrong
 */
export async function resolveWithStore(environment: LaunchEnvironment): Promise<ResolvedConfig> {
  const database = findStore(environment);
  trustAuthorities(database, environment);
  const { given, brandingFolder } = await readStored(database);
  const { config, notices } = resolveConfig({ ...environment, stored: given });
  return { config: { ...config, brandingFolder }, notices };
}

/**
 * Has this process trust the authorities that are given for the server of a store. Deno reads their
 * file once, when it needs it first.
 *
 * @throws StartRefusal when the file cannot be used
 */
export function trustAuthorities(
  database: string,
  environment: Omit<LaunchEnvironment, "stored">,
): void {
  const file = isRemote(database) ? findStoreAuthorities(environment) : undefined;
  if (file !== undefined) Deno.env.set("DENO_CERT", file);
}

async function readStored(database: string): Promise<Stored> {
  if (!isRemote(database)) {
    if (!holdsStore(database)) return { given: new Map() };
    prepareFile(database, () => ({}));
    checkStore(database);
  }
  try {
    return await read(database);
  } catch (error) {
    throw openingError(database, error);
  }
}

async function read(database: string): Promise<Stored> {
  // Imported here, as it is not needed without a store.
  const { openStore } = await import("../core/kv/store.ts");
  const store = await openStore(database, { note: (line) => console.error(line) });
  try {
    // The raw record, as the launcher does not need the schemas of settings.
    const settings = await settingsRecord.get(store);
    return {
      given: givenFrom(await new ServerOptionsStore(store).get()),
      brandingFolder: isRemote(database)
        ? undefined
        : await realFolder(settings?.branding.files ?? ""),
    };
  } finally {
    store.close();
  }
}

async function realFolder(path: string): Promise<string | undefined> {
  try {
    return path === "" ? undefined : await Deno.realPath(path);
  } catch {
    return undefined;
  }
}
