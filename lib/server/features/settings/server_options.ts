import { Collection } from "../../core/kv/collection.ts";
import { checkRecordSize } from "../../core/kv/size.ts";
import type { Store } from "../../core/kv/store.ts";

/** Start-up options as they were entered, by their names: `{ port: "9000" }`. */
export type ServerOptions = Readonly<Record<string, string>>;

/** The server's stored start options: one record of at most 40 KiB. */
const serverOptions = new Collection<ServerOptions, []>("server_options");

/** The options that the store keeps for the next start. */
export class ServerOptionsStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The stored options; the defaults are applied elsewhere. */
  async get(): Promise<ServerOptions> {
    return await serverOptions.get(this.#store) ?? {};
  }

  /**
   * Changes some options; an empty text removes one.
   *
   * @throws DomainError `invalid_body` when they are too long to be stored
   */
  async update(change: ServerOptions): Promise<void> {
    await serverOptions.update(this.#store, [], (now) => {
      const all = Object.entries({ ...now, ...change }).filter(([, text]) => text !== "");
      const options: ServerOptions = Object.fromEntries(all);
      checkRecordSize("store the options", options);
      return options;
    });
  }
}
