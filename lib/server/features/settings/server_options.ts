import { commitChange } from "../../core/kv/commit.ts";
import { serverOptionsKey } from "../../core/kv/keys/server.ts";
import { checkRecordSize } from "../../core/kv/size.ts";
import type { Store } from "../../core/kv/store.ts";

/** Start-up options as they were entered, by their names: `{ port: "9000" }`. */
export type ServerOptions = Readonly<Record<string, string>>;

/** The options that the store keeps for the next start. */
export class ServerOptionsStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The stored options; the defaults are applied elsewhere. */
  async get(): Promise<ServerOptions> {
    return (await this.#store.get<ServerOptions>(serverOptionsKey())).value ?? {};
  }

  /**
   * Changes some options; an empty text removes one.
   *
   * @throws DomainError `invalid_body` when they are too long to be stored
   */
  async update(change: ServerOptions): Promise<void> {
    await commitChange(this.#store, async () => {
      const entry = await this.#store.get<ServerOptions>(serverOptionsKey());
      const all = Object.entries({ ...entry.value, ...change }).filter(([, text]) => text !== "");
      const options: ServerOptions = Object.fromEntries(all);
      checkRecordSize("store the options", options);
      return {
        result: undefined,
        build: (operation) => operation.check(entry).set(entry.key, options),
      };
    });
  }
}
