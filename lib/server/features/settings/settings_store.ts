import { settingsRecord } from "../../core/kv/server_records.ts";
import { checkRecordSize } from "../../core/kv/size.ts";
import type { Store } from "../../core/kv/store.ts";
import { storedSettings } from "./settings.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";

/** The global settings in the store. */
export class SettingsStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The current settings, or the defaults while none are stored. */
  async get(): Promise<Settings> {
    return await this.#store.cachedRead(settingsRecord.key(), async () => {
      return storedSettings(await settingsRecord.get(this.#store));
    });
  }

  /**
   * Replaces the settings as a whole.
   *
   * @throws DomainError `invalid_body` when they are too long to be stored
   */
  async update(settings: Settings): Promise<void> {
    checkRecordSize("save the settings", settings);
    await settingsRecord.set(this.#store, [], settings);
  }
}
