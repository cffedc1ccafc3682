import { type EntryPath, parentOf, parsePath } from "../../../shared/path.ts";
import type { DocumentKind } from "../../../shared/document_kinds.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { Permissions } from "../../../shared/schemas/rights.ts";
import { lazy } from "../../base/core/lazy.ts";
import { holdKeys } from "../../base/ui/held_keys.ts";
import { canChangeAll, type Target, targetOf } from "../../base/files/target.ts";
import type { ActionsOptions, ExtractChoice } from "./actions_options.ts";

const folderActions = lazy(() => import("./folder_actions.ts"));

type FolderActions = typeof import("./folder_actions.ts");

/**
 * The actions on the open folder or file, for buttons, menus and shortcuts. The selection of an
 * open file is the file itself; those with a `target` work on that instead. An action does nothing
 * without the permission or without a suitable selection, and tells why where nothing can be
 * changed. The code of the actions is loaded with the first one.
 */
export class Actions {
  readonly #options: ActionsOptions;
  #clipping: Promise<void> | undefined;
  /** The last action that can be undone, and the end of the message about it. */
  #last: { jobs: readonly string[]; untell: () => void } | null = null;

  /** The file to show when the open file is deleted; null for its folder. */
  successor: Entry | null = null;

  /** @param options what the actions work on */
  constructor(options: Omit<ActionsOptions, "tell">) {
    this.#options = { ...options, tell: (text, jobs) => this.tell(text, jobs) };
  }

  /** Asks for a name, makes the folder, shows and selects it. */
  async newFolder(): Promise<void> {
    if (!this.#isClosed()) await this.#ask("create", (code) => code.newFolder(this.#options));
  }

  /** Asks for a name, makes an empty file, shows and selects it. */
  async newFile(): Promise<void> {
    if (!this.#isClosed()) await this.#ask("create", (code) => code.newFile(this.#options));
  }

  /** Asks for a name and a format, makes an empty document, and opens it in the office server. */
  async newDocument(kind: DocumentKind): Promise<void> {
    if (this.#isClosed()) return;
    await this.#ask("create", (code) => code.newDocument(this.#options, kind));
  }

  /** Asks for another name of the selected entry. */
  rename(): Promise<void> {
    return this.#actOn("rename", 1, (code, target) => code.renameEntry(this.#options, target));
  }

  /** Asks for other names of all selected entries. */
  renameMany(): Promise<void> {
    return this.#actOn("rename", Infinity, (code, target) => {
      return code.renameMany(this.#options, target);
    });
  }

  /** Asks for a destination, and moves the selection there. */
  move(target?: Target): Promise<void> {
    return this.#actOn("rename", Infinity, (code, target) => {
      return code.moveSelection(this.#options, target, "move");
    }, { target });
  }

  /** Asks for a destination, and copies the selection there. */
  copy(target?: Target): Promise<void> {
    return this.#actOn("create", Infinity, (code, target) => {
      return code.moveSelection(this.#options, target, "copy");
    }, { target });
  }

  /** Copies or cuts the selection, to be pasted as a `copy` or a `move`. */
  clip(action: "copy" | "move"): Promise<void> {
    const permission = action === "copy" ? "create" : "rename";
    return this.#clipping = this.#actOn(permission, Infinity, (code, target) => {
      return code.clip(this.#options, target, action);
    }, { asks: false });
  }

  /** Pastes the copied or cut entries into the open folder. */
  async paste(): Promise<void> {
    // Ctrl+V may come before an earlier Ctrl+C has loaded its names.
    await this.#clipping;
    const clip = this.#options.clipboard.now.peek();
    if (clip === null || this.#isClosed()) return;
    const permission = clip.action === "copy" ? "create" : "rename";
    await this.#act(permission, (code) => code.paste(this.#options));
  }

  /** Moves or copies entries that were dragged onto a folder. */
  drop(action: "copy" | "move", paths: readonly EntryPath[], to: EntryPath): Promise<void> {
    const permission = action === "copy" ? "create" : "rename";
    return this.#act(permission, (code) => code.dropOn(this.#options, { action, paths, to }));
  }

  /**
   * Asks for confirmation, then moves the selection to the trash; entries that fail stay selected.
   *
   * @param forGood deletes it instead
   */
  deleteSelection(forGood = false, target?: Target): Promise<void> {
    const { successor } = this;
    return this.#actOn("delete", Infinity, (code, target) => {
      return code.deleteSelection(this.#options, target, { successor, forGood });
    }, { target });
  }

  /**
   * Tells what was done.
   *
   * @param jobs their ids, when it can be undone by the message or the keyboard
   */
  tell(text: string, jobs: readonly string[]): void {
    const { toasts } = this.#options;
    if (jobs.length === 0) return void toasts.success(text);
    const toast = toasts.success(text, () => void this.undoJobs(jobs));
    this.remember(jobs, () => toasts.close(toast));
  }

  /**
   * Lets the keyboard undo what was done.
   *
   * @param untell ends the message about it
   */
  remember(jobs: readonly string[], untell: () => void): void {
    this.#last = { jobs, untell };
  }

  /** Undoes the last action, if it can be undone. */
  undo(): boolean {
    const last = this.#last;
    if (last) void this.undoJobs(last.jobs);
    return last !== null;
  }

  /** Undoes what jobs have done; neither the keyboard nor the message offers it any more. */
  undoJobs(jobs: readonly string[]): Promise<void> {
    if (this.#last && this.#last.jobs.some((id) => jobs.includes(id))) {
      this.#last.untell();
      this.#last = null;
    }
    return this.#act(null, (code) => code.undoJobs(this.#options, jobs));
  }

  /** Shows what the user did last, to be undone. */
  async history(): Promise<void> {
    await this.#options.prompts.open("history", {});
  }

  /**
   * Downloads the selection, several entries as one archive; without one the folder.
   *
   * @param asks for the kind of archive, which is zip otherwise
   */
  downloadSelection(target = targetOf(this.#options.listing), asks = false): Promise<void> {
    return this.#ask("download", (code) => code.downloadSelection(this.#options, target, asks));
  }

  /** Downloads the whole folder, whatever is selected. @param asks as for a selection */
  downloadFolder(asks = false): Promise<void> {
    return this.#ask("download", (code) => code.downloadFolder(this.#options, asks));
  }

  /** Asks for a name, and makes an archive of the selection. */
  async compress(): Promise<void> {
    if (!this.#options.may("download") || this.#isClosed()) return;
    await this.#actOn("create", Infinity, (code, target) => {
      return code.compressSelection(this.#options, target);
    });
  }

  /** Extracts the one selected archive, or entries of it, to a new folder. */
  async extract(choice: ExtractChoice = {}): Promise<void> {
    if (!this.#options.may("download") || !choice.asks && this.#isClosed()) return;
    await this.#actOn("create", 1, (code, target) => {
      return code.extractArchive(this.#options, target, choice);
    });
  }

  /** Closes the details at the side, or shows them. */
  toggleInfo(): void {
    const { details } = this.#options;
    if (details.peek()) details.value = false;
    else void this.info();
  }

  /** Shows the details of the selection, or of the open folder. */
  info(): Promise<void> {
    const target = targetOf(this.#options.listing);
    return this.#act(null, (code) => code.showInfo(this.#options, target));
  }

  /** Shows the share links of the one selected entry, and makes new ones. */
  async share(target?: Target): Promise<void> {
    if (!this.#options.may("download")) return;
    await this.#actOn("share", 1, (code, target) => {
      return code.shareEntry(this.#options, target);
    }, { target });
  }

  /** Shows the requests for files into the open folder, and makes new ones. */
  async requestFiles(): Promise<void> {
    const { listing, may } = this.#options;
    if (!may("create") || this.#isClosed()) return;
    const path = listing.path.peek();
    await this.#ask("share", (code) => code.requestFiles(this.#options, path));
  }

  /** The same for the one selected folder. */
  async requestFilesIn(): Promise<void> {
    if (!this.#options.may("create")) return;
    await this.#actOn("share", 1, (code, target) => {
      return code.requestFilesIn(this.#options, target);
    });
  }

  /** Stars the selection, or takes the stars away when all of it has them. */
  star(target?: Target): Promise<void> {
    return this.#actOn(null, Infinity, (code, target) => {
      return code.star(this.#options, target);
    }, { target, asks: false });
  }

  /** Stars entries that were dragged among the favourites. */
  starPaths(paths: readonly EntryPath[]): Promise<void> {
    return this.#act(null, (code) => code.starPaths(this.#options, paths));
  }

  /** Shows the keyboard shortcuts of this page. */
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

  /** Signs out, unless the user decides to keep unsaved changes. */
  async signOut(): Promise<void> {
    const { api, navigation } = this.#options;
    if (await navigation.guard.mayLeave()) await api.signOut();
  }

  /**
   * Runs an action on the current selection of 1 to `atMost` entries; a later change of the
   * selection, while the code is loading, has no effect.
   *
   * @param options.asks it may open a prompt
   */
  async #actOn(
    permission: keyof Permissions | null,
    atMost: number,
    act: (code: FolderActions, target: Target) => Promise<void>,
    { target = targetOf(this.#options.listing), asks = true } = {},
  ): Promise<void> {
    if (target.size === 0 || target.size > atMost) return;
    const isChange = permission === "rename" || permission === "delete";
    if (isChange && this.#isFixed(permission, target)) return;
    if (asks) await this.#ask(permission, (code) => act(code, target));
    else await this.#act(permission, (code) => act(code, target));
  }

  /** Tells why the open folder takes nothing, if so. */
  #isClosed(): boolean {
    const { listing, rootAccess, toasts, t } = this.#options;
    const resource = listing.resource.peek();
    const path = listing.path.peek();
    const folder = resource?.isDir === false ? parentOf(path) : path;
    if (rootAccess.canAddTo(folder) && !resource?.readOnly) return false;
    toasts.error(rootAccess.reasonAgainst(t, folder));
    return true;
  }

  /** Tells why entries cannot be changed where they are, if so. */
  #isFixed(permission: keyof Permissions, target: Target): boolean {
    const { may, rootAccess, toasts, t } = this.#options;
    if (!may(permission) || canChangeAll(rootAccess, target)) return false;
    toasts.error(rootAccess.reasonAgainst(t, target.folder));
    return true;
  }

  /**
   * As `#act`, for an action that may open a prompt: while the code loads, keys do not reach the
   * page, and Esc cancels it.
   */
  async #ask(
    permission: keyof Permissions | null,
    act: (code: FolderActions) => Promise<void>,
  ): Promise<void> {
    let isCancelled = false;
    const release = holdKeys(() => {
      isCancelled = true;
      release();
    });
    await this.#act(permission, async (code) => {
      if (isCancelled) return;
      // A prompt that it opens in this task holds them from then on.
      const opened = new Promise((resolve) => setTimeout(resolve)).then(release);
      await Promise.all([act(code), opened]);
    }).finally(release);
  }

  async #act(
    permission: keyof Permissions | null,
    act: (code: FolderActions) => Promise<void>,
  ): Promise<void> {
    const { may, toasts, t } = this.#options;
    if (permission !== null && !may(permission)) return;
    const code = await folderActions.load();
    if (code === null) return void toasts.error(t("errors.offline"));
    await act(code);
  }
}
