import { settingsKey } from "../kv/keys/settings.ts";
import { checkRecordSize } from "../kv/size.ts";
import type { Store } from "../kv/store.ts";
import { defaultSettings, type Settings } from "./settings.ts";

/** The global settings in the store. */
export class SettingsStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The settings as they are, or the defaults while nobody has changed any. */
  async get(): Promise<Settings> {
    const entry = await this.#store.get<Settings>(settingsKey());
    return entry.value ?? defaultSettings();
  }

  /**
   * Puts whole settings in place of the former ones.
   *
   * @throws DomainError `invalid_body` when they are too long to be stored
   */
  async update(settings: Settings): Promise<void> {
    checkRecordSize("save the settings", settings);
    await this.#store.atomic((operation) => operation.set(settingsKey(), settings));
  }
}
