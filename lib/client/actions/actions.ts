import type { TFunction } from "i18next";
import { type EntryPath, parsePath } from "../../shared/path.ts";
import type { Entry, Permissions } from "../../shared/api_types.ts";
import type { Api } from "../api/api.ts";
import type { Clipboard } from "./clipboard.ts";
import type { Listing } from "../listing/listing.ts";
import type { Navigation } from "../navigation/navigation.ts";
import type { Prompts } from "../prompts/prompts.ts";
import type { Saving } from "./save_link.ts";
import { type Target, targetOf } from "./target.ts";
import type { Tasks } from "../live/tasks.ts";
import type { Toasts } from "../ui/toasts.ts";

/** What the actions work on. */
export interface ActionsOptions {
  api: Api;
  listing: Listing;
  navigation: Pick<Navigation, "go" | "guard" | "leave">;
  prompts: Prompts;
  tasks: Tasks;
  clipboard: Clipboard;
  toasts: Toasts;
  t: TFunction;
  may: (permission: keyof Permissions) => boolean;
  /** Has something saved; the browser's own ways when left out. */
  saving?: Saving;
}

type Later = typeof import("./folder_actions.ts");

/**
 * What the user can do with the folder or the file on screen, from buttons, menus and keys alike.
 * "The selection" is the file itself where one is on screen by itself. Without the permission, or
 * with nothing selected that it could be done with, an action does nothing. What it takes to act is
 * loaded with the first action.
 */
export class Actions {
  readonly #options: ActionsOptions;
  #clipping: Promise<void> | undefined;

  /** What to show when the file on screen is deleted; null for its folder. */
  successor: Entry | null = null;

  /** @param options what the actions work on */
  constructor(options: ActionsOptions) {
    this.#options = options;
  }

  /** Asks for a name, makes the folder, shows and selects it. */
  newFolder(): Promise<void> {
    return this.#act("create", (later) => later.newFolder(this.#options));
  }

  /** Asks for a name, makes an empty file, shows and selects it. */
  newFile(): Promise<void> {
    return this.#act("create", (later) => later.newFile(this.#options));
  }

  /** Asks for another name of the one entry that is selected. */
  rename(): Promise<void> {
    return this.#actOn("rename", 1, (later, target) => later.renameEntry(this.#options, target));
  }

  /** Asks for a folder, and moves the selection there. */
  move(): Promise<void> {
    return this.#actOn("rename", Infinity, (later, target) => {
      return later.moveSelection(this.#options, target, "move");
    });
  }

  /** Asks for a folder, and copies the selection there. */
  copy(): Promise<void> {
    return this.#actOn("create", Infinity, (later, target) => {
      return later.moveSelection(this.#options, target, "copy");
    });
  }

  /** Remembers the selection, to be copied (`copy`) or moved (`move`) where it is pasted. */
  clip(action: "copy" | "move"): Promise<void> {
    const permission = action === "copy" ? "create" : "rename";
    return this.#clipping = this.#actOn(permission, Infinity, (later, target) => {
      return later.clip(this.#options, target, action);
    });
  }

  /** Puts what was copied or cut into the folder on screen. */
  async paste(): Promise<void> {
    // Keys can be quicker than the names of what they copy are known.
    await this.#clipping;
    const clip = this.#options.clipboard.now.peek();
    if (clip === null) return;
    const permission = clip.action === "copy" ? "create" : "rename";
    await this.#act(permission, (later) => later.paste(this.#options));
  }

  /** Moves or copies entries that were dragged onto a folder. */
  drop(action: "copy" | "move", paths: readonly EntryPath[], to: EntryPath): Promise<void> {
    const permission = action === "copy" ? "create" : "rename";
    return this.#act(permission, (later) => later.dropOn(this.#options, { action, paths, to }));
  }

  /** Asks, then deletes the selected entries; those that can't be deleted stay selected. */
  deleteSelection(): Promise<void> {
    const { successor } = this;
    return this.#actOn("delete", Infinity, (later, target) => {
      return later.deleteSelection(this.#options, target, successor);
    });
  }

  /** Downloads what is selected, several entries as one archive; the folder when nothing is. */
  downloadSelection(): Promise<void> {
    const target = targetOf(this.#options.listing);
    return this.#act("download", (later) => later.downloadSelection(this.#options, target));
  }

  /** Downloads the whole folder, whatever is selected. */
  downloadFolder(): Promise<void> {
    return this.#act("download", (later) => later.downloadFolder(this.#options));
  }

  /** Shows what is known of the selection; of the folder on screen when nothing is selected. */
  info(): Promise<void> {
    const target = targetOf(this.#options.listing);
    return this.#act(null, (later) => later.showInfo(this.#options, target));
  }

  /** Shows the links that others have to the one selected entry, and makes new ones. */
  async share(): Promise<void> {
    if (!this.#options.may("download")) return;
    await this.#actOn("share", 1, (later, target) => later.shareEntry(this.#options, target));
  }

  /** Shows the keys that work on this page. */
  async help(): Promise<void> {
    await this.#options.prompts.open("help", {});
  }

  /** Opens the entry at an index: a folder, or a file at its own address. */
  openAt(index: number): void {
    const { listing, navigation, t, toasts } = this.#options;
    const entry = listing.rows.peek().at(index);
    if (entry?.type === "invalid_link") toasts.error(`${entry.name}: ${t("info.kinds.link")}`);
    else if (entry) navigation.go(parsePath(entry.path).path, { folder: entry.isDir });
  }

  /** Signs out, unless something unsaved is kept; whoever follows the session leaves the page. */
  async signOut(): Promise<void> {
    const { api, navigation } = this.#options;
    if (await navigation.guard.mayLeave()) await api.signOut();
  }

  /**
   * An action on at least one selected entry, and on `atMost` of them: on what is selected now, not
   * on what is by the time that the rest is loaded.
   */
  async #actOn(
    permission: keyof Permissions,
    atMost: number,
    act: (later: Later, target: Target) => Promise<void>,
  ): Promise<void> {
    const target = targetOf(this.#options.listing);
    if (target.size === 0 || target.size > atMost) return;
    await this.#act(permission, (later) => act(later, target));
  }

  async #act(
    permission: keyof Permissions | null,
    act: (later: Later) => Promise<void>,
  ): Promise<void> {
    const { may, toasts, t } = this.#options;
    if (permission !== null && !may(permission)) return;
    const later = await import("./folder_actions.ts").catch(() => null);
    if (later === null) return toasts.error(t("errors.offline"));
    await act(later);
  }
}
