import { settingsKey } from "../../core/kv/keys/server.ts";
import { checkRecordSize } from "../../core/kv/size.ts";
import type { Store } from "../../core/kv/store.ts";
import { type Settings, storedSettings } from "./settings.ts";

/** The global settings in the store. */
export class SettingsStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The current settings, or the defaults while none are stored. */
  async get(): Promise<Settings> {
    return await this.#store.cachedRead(settingsKey(), async () => {
      const entry = await this.#store.get<Settings>(settingsKey());
      return storedSettings(entry.value);
    });
  }

  /**
   * Replaces the settings as a whole.
   *
   * @throws DomainError `invalid_body` when they are too long to be stored
   */
  async update(settings: Settings): Promise<void> {
    checkRecordSize("save the settings", settings);
    await this.#store.atomic((operation) => operation.set(settingsKey(), settings));
  }
}
