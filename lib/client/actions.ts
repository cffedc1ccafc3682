import type { TFunction } from "i18next";
import { parsePath } from "../access/path.ts";
import type { Permissions } from "../api_types.ts";
import type { Api } from "./api.ts";
import type { Listing } from "./listing.ts";
import type { Navigation } from "./navigation.ts";
import type { Prompts } from "./prompts.ts";
import type { Toasts } from "./toasts.ts";

/** What the actions work on. */
export interface ActionsOptions {
  api: Pick<
    Api,
    "exists" | "makeFolder" | "remove" | "rawAddress" | "tryDownload" | "ticket" | "signOut"
  >;
  listing: Listing;
  navigation: Pick<Navigation, "go" | "guard">;
  prompts: Prompts;
  toasts: Toasts;
  t: TFunction;
  may: (permission: keyof Permissions) => boolean;
  /** Has the browser save what lies at an address. */
  save: (address: string) => void;
}

type Later = typeof import("./folder_actions.ts");

/**
 * What the user can do with the folder on screen, from buttons and keys alike. Without the
 * permission an action does nothing. What it takes to act is loaded with the first action.
 */
export class Actions {
  readonly #options: ActionsOptions;

  /** @param options what the actions work on */
  constructor(options: ActionsOptions) {
    this.#options = options;
  }

  /** Asks for a name, makes the folder, shows and selects it. */
  newFolder(): Promise<void> {
    return this.#act("create", (later) => later.newFolder(this.#options));
  }

  /** Asks, then deletes the selected entries; those that can't be deleted stay selected. */
  async deleteSelection(): Promise<void> {
    if (this.#options.listing.selection.now.peek().size === 0) return;
    await this.#act("delete", (later) => later.deleteSelection(this.#options));
  }

  /** Downloads what is selected, several entries as one archive; the folder when nothing is. */
  downloadSelection(): Promise<void> {
    return this.#act("download", (later) => later.downloadSelection(this.#options));
  }

  /** Downloads the whole folder, whatever is selected. */
  downloadFolder(): Promise<void> {
    return this.#act("download", (later) => later.downloadFolder(this.#options));
  }

  /** Opens the entry at an index: a folder, or a file at its own address. */
  openAt(index: number): void {
    const { listing, navigation } = this.#options;
    const entry = listing.rows.peek().at(index);
    if (entry) navigation.go(parsePath(entry.path).path, { folder: entry.isDir });
  }

  /** Signs out, unless something unsaved is kept; whoever follows the session leaves the page. */
  async signOut(): Promise<void> {
    const { api, navigation } = this.#options;
    if (await navigation.guard.mayLeave()) await api.signOut();
  }

  async #act(permission: keyof Permissions, act: (later: Later) => Promise<void>): Promise<void> {
    const { may, toasts, t } = this.#options;
    if (!may(permission)) return;
    const later = await import("./folder_actions.ts").catch(() => null);
    if (later === null) return toasts.error(t("errors.offline"));
    await act(later);
  }
}
