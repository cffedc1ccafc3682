import type { TFunction } from "i18next";
import { childOf, type EntryPath, parsePath } from "../access/path.ts";
import type { Permissions } from "../api_types.ts";
import type { Api } from "./api.ts";
import type { Listing } from "./listing.ts";
import { cleanName } from "./names.ts";
import type { Navigation } from "./navigation.ts";
import type { Prompts } from "./prompts.ts";
import { reasonOf } from "./reasons.ts";
import { type Failure, failure, type Result, success } from "./result.ts";
import type { Toasts } from "./toasts.ts";

/** How many entries are deleted at a time. */
const AT_ONCE = 4;

/** Longer addresses are cut off or refused on the way, or by the server. */
const MAX_ADDRESS = 16_000;

/** What the actions work on. */
export interface ActionsOptions {
  api: Pick<
    Api,
    "exists" | "makeFolder" | "remove" | "rawAddress" | "tryDownload" | "ticket" | "signOut"
  >;
  listing: Listing;
  navigation: Pick<Navigation, "go">;
  prompts: Prompts;
  toasts: Toasts;
  t: TFunction;
  may: (permission: keyof Permissions) => boolean;
  /** Has the browser save what lies at an address. */
  save: (address: string) => void;
}

/** What the user can do with the folder on screen, from buttons and keys alike. */
export class Actions {
  readonly #options: ActionsOptions;

  /** @param options what the actions work on */
  constructor(options: ActionsOptions) {
    this.#options = options;
  }

  /** Asks for a name, makes the folder, shows and selects it. */
  async newFolder(): Promise<void> {
    const { listing, prompts, toasts, t, may } = this.#options;
    if (!may("create")) return;
    const folder = listing.path.peek();
    const taken = (name: string) => listing.rows.peek().indexOf(name) >= 0;
    const typed = await prompts.open("newDir", { taken });
    if (typed === null) return;
    const name = cleanName(typed);
    const made = await this.#makeFolder(folder, name);
    if (!made.ok) return toasts.error(t("failures.newFolder", { name, reason: reasonOf(t, made) }));
    if (listing.path.peek() !== folder) return;
    await listing.reload();
    listing.selection.name([name]);
    listing.cursor.put(listing.rows.peek().indexOf(name));
  }

  /** Asks, then deletes the selected entries; those that can't be deleted stay selected. */
  async deleteSelection(): Promise<void> {
    const { listing, prompts, toasts, t, may } = this.#options;
    const { size } = listing.selection.now.peek();
    if (size === 0 || !may("delete")) return;
    const folder = listing.path.peek();
    const [name] = listing.selection.parts().names;
    const asks = size === 1 ? { count: size, name } : { count: size };
    if (await prompts.open("delete", asks) === null) return;

    const names = await listing.selectedNames();
    if (!names.ok) return toasts.error(t("failures.delete", { reason: reasonOf(t, names) }));
    const failures = await this.#removeAll(folder, names.value);
    const deleted = names.value.length - failures.size;
    if (deleted > 0) toasts.success(t("toasts.deleted", { count: deleted }));
    for (const text of this.#deletionFailures(failures)) toasts.error(text);
    if (listing.path.peek() !== folder) return;
    listing.selection.name(failures.keys());
    await listing.reload();
  }

  /** Downloads what is selected, several entries as one archive; the folder when nothing is. */
  async downloadSelection(): Promise<void> {
    const { listing, toasts, save, t, may } = this.#options;
    if (!may("download")) return;
    const names = await listing.selectedNames();
    const address = names.ok ? await this.#downloadAddress(names.value) : names;
    if (address.ok) return save(address.value);
    toasts.error(t("failures.download", { reason: reasonOf(t, address) }));
  }

  /** Opens the entry at an index: a folder, or a file at its own address. */
  openAt(index: number): void {
    const { listing, navigation } = this.#options;
    const entry = listing.rows.peek().at(index);
    if (entry) navigation.go(parsePath(entry.path).path, { folder: entry.isDir });
  }

  /** Signs out; leaving the page is seen to by whoever follows the session. */
  signOut(): Promise<void> {
    return this.#options.api.signOut();
  }

  /** The server answers alike whether it made a folder or found it; here the two differ. */
  async #makeFolder(folder: EntryPath, name: string): Promise<Result<void>> {
    const { api } = this.#options;
    const at = childOf(folder, name);
    const there = await api.exists(at);
    if (there.ok && there.value) return failure(409, "exists", `"${name}" exists already`);
    return await api.makeFolder(at);
  }

  async #removeAll(folder: EntryPath, names: readonly string[]): Promise<Map<string, Failure>> {
    const failures = new Map<string, Failure>();
    const left = [...names];
    const removeNext = async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const answer = await this.#options.api.remove(childOf(folder, name));
        if (!answer.ok && answer.status !== 404) failures.set(name, answer);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, removeNext));
    return failures;
  }

  /** One sentence for each kind of failure, however many entries met it. */
  #deletionFailures(failures: ReadonlyMap<string, Failure>): string[] {
    const { t } = this.#options;
    const byReason = new Map<string, string[]>();
    for (const [name, why] of failures) {
      const reason = reasonOf(t, why);
      byReason.set(reason, [...byReason.get(reason) ?? [], name]);
    }
    return [...byReason].map(([reason, [name, ...others]]) =>
      others.length === 0
        ? t("failures.deleteOne", { name, reason })
        : t("failures.deleteMany", { count: others.length + 1, reason })
    );
  }

  /**
   * Where the selection can be had. The cookie opens it, in most browsers; where it is blocked or
   * has gone, a ticket in the address does.
   */
  async #downloadAddress(names: readonly string[]): Promise<Result<string>> {
    const { api, listing } = this.#options;
    const folder = listing.path.peek();
    const [only] = names;
    const whole = names.length === 0 || names.length === listing.rows.peek().total;
    const at = names.length === 1 && only !== undefined ? childOf(folder, only) : folder;
    const picked = names.length === 1 || whole ? undefined : [...names];
    const address = api.rawAddress(at, { names: picked });
    if (address.length > MAX_ADDRESS) {
      return failure(0, "too_large", "Too many entries for one download");
    }
    const tried = await api.tryDownload(address);
    if (tried.ok) return success(address);
    if (tried.status !== 401) return tried;
    const ticket = await api.ticket(at);
    return ticket.ok
      ? success(api.rawAddress(at, { names: picked, ticket: ticket.value }))
      : ticket;
  }
}
