import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type ViewMode, viewModes } from "../../../../shared/schemas/choices/choices.ts";
import type { Resource } from "../../../../shared/schemas/entry.ts";
import type { TokenUser } from "../../../../shared/schemas/user.ts";
import type { FolderView, Sorting } from "../../../../shared/schemas/view.ts";
import { type EntryPath, parsePath } from "../../../../shared/path.ts";
import { type Result, success } from "../../../../shared/result.ts";
import { isOfPictures } from "../../../../shared/shown_mode.ts";

/** How an account looks at folders whose view was not chosen. */
export type AccountView = Pick<
  TokenUser,
  "viewMode" | "tileSize" | "groupBy" | "density" | "typeColumn" | "picturesAsPhotos"
>;

/** How the open folder is shown. */
export type ShownView = Pick<AccountView, "viewMode" | "tileSize">;

const PLAIN: AccountView = {
  viewMode: "list",
  tileSize: "medium",
  groupBy: "none",
  density: "comfortable",
  typeColumn: "auto",
  picturesAsPhotos: false,
};

/** The dependencies of the views of folders. */
export interface ViewModesOptions {
  /** The open folder, with the view that is remembered of it. */
  resource: ReadonlySignal<Resource | null>;
  account: AccountView | undefined;
  /** Whether pictures can be shown. */
  pictured: boolean;
  /** Remembers how the user looks at a folder. */
  keep: (path: EntryPath, view: FolderView) => void;
  /** Stores a choice in the account, which holds for all folders. */
  save: (fields: Preference) => Promise<Result<void>>;
  /** Forgets how the user looks at all folders. */
  forget: () => Promise<Result<void>>;
}

/**
 * How folders are shown: as was chosen for the folder, else as photos where it is full of pictures,
 * else as the account says.
 */
export class ViewModes {
  readonly #options: ViewModesOptions;
  readonly #account: Signal<AccountView>;
  readonly #chosen = signal<{ path: string; view: FolderView } | null>(null);
  /** The folder for which was decided whether it is one of pictures, and how. */
  #decided = { path: "", asPhotos: false };
  #last: ShownView;

  /** The choice for all folders. */
  readonly account: ReadonlySignal<AccountView>;
  /** How the open folder is shown; the former one until the next is there. */
  readonly now: ReadonlySignal<ShownView>;
  /** The current view mode. */
  readonly mode: ReadonlySignal<ViewMode>;

  /** @param options the open folder, and where choices are stored */
  constructor(options: ViewModesOptions) {
    this.#options = options;
    this.account = this.#account = signal(options.account ?? PLAIN);
    this.#last = this.#account.peek();
    this.now = computed(() => this.#last = this.#look());
    this.mode = computed(() => this.now.value.viewMode);
  }

  /** The next view mode. */
  get next(): ViewMode {
    const at = viewModes.indexOf(this.mode.value);
    return viewModes[(at + 1) % viewModes.length] ?? "list";
  }

  /** Shows the open folder in a view mode; in the next one if it is shown so already. */
  choose(mode: ViewMode): void {
    this.change({ viewMode: mode === this.mode.peek() ? this.next : mode });
  }

  /** Changes how the open folder is shown. */
  change(fields: FolderView): void {
    const { path } = this.#options.resource.peek() ?? {};
    if (path === undefined) return;
    const view = { ...this.#own(), ...fields };
    this.#chosen.value = { path, view };
    this.#options.keep(parsePath(path).path, view);
  }

  /** Changes what holds for all folders. */
  changeAccount(fields: Partial<Pick<AccountView, "density" | "typeColumn">>): void {
    this.#account.value = { ...this.#account.peek(), ...fields };
    void this.#options.save(fields);
  }

  /** Makes the view of the open folder that of the account, and forgets those of all folders. */
  async everywhere(order: Pick<FolderView, "sorting" | "groupBy">): Promise<Result<void>> {
    const { viewMode, tileSize } = this.now.peek();
    const { groupBy = "none" } = order;
    const asPhotos = this.#account.peek().picturesAsPhotos && viewMode === "mosaic gallery";
    const fields = { viewMode, tileSize, groupBy, picturesAsPhotos: asPhotos };
    this.#account.value = { ...this.#account.peek(), ...fields };
    this.#chosen.value = { path: this.#options.resource.peek()?.path ?? "", view: {} };
    const saved = await this.#options.save({ ...fields, ...order });
    return saved.ok ? await this.#options.forget() : saved;
  }

  /** The choice for the open folder: made here, or before. */
  #own(): FolderView {
    const resource = this.#options.resource.value;
    const chosen = this.#chosen.value;
    return (chosen && chosen.path === resource?.path ? chosen.view : resource?.view) ?? {};
  }

  #look(): ShownView {
    const { tileSize, viewMode } = this.#account.value;
    const resource = this.#options.resource.value;
    if (!resource?.isDir) return this.#last;
    const own = this.#own();
    const other = this.#isOfPictures(resource) ? "mosaic gallery" : viewMode;
    return { viewMode: own.viewMode ?? other, tileSize: own.tileSize ?? tileSize };
  }

  /** Decided once for an open folder: files that come and go do not turn the view over. */
  #isOfPictures(resource: Resource): boolean {
    const { path } = resource;
    if (!this.#account.value.picturesAsPhotos || !this.#options.pictured) return false;
    const asPhotos = isOfPictures(resource);
    if (path !== this.#decided.path && asPhotos !== undefined) this.#decided = { path, asPhotos };
    return this.#decided.path === path && this.#decided.asPhotos;
  }
}

/** The preferences that the files page saves in the user's account. */
export type Preference = Partial<AccountView> & { sorting?: Sorting };

/**
 * Saves what is chosen, one call at a time; changes during a call are sent with the next. A choice
 * that could not be saved still holds on this page.
 */
export class Preferences<Fields extends object> {
  readonly #send: (fields: Partial<Fields>) => Promise<Result<void>>;
  #waiting: Partial<Fields> = {};
  #sending: Promise<Result<void>> | null = null;

  /** @param send saves some fields */
  constructor(send: (fields: Partial<Fields>) => Promise<Result<void>>) {
    this.#send = send;
  }

  /** Saves some fields: resolves when nothing waits any more, with the last answer. */
  save(fields: Partial<Fields>): Promise<Result<void>> {
    Object.assign(this.#waiting, fields);
    return this.#sending ??= this.#sendAll().finally(() => this.#sending = null);
  }

  /** Sends what waits without waiting itself: for a page that is left. */
  flush(): void {
    if (Object.keys(this.#waiting).length > 0) void this.#sendWaiting();
  }

  async #sendAll(): Promise<Result<void>> {
    let answer: Result<void> = success(undefined);
    while (Object.keys(this.#waiting).length > 0) answer = await this.#sendWaiting();
    return answer;
  }

  #sendWaiting(): Promise<Result<void>> {
    const sent = this.#waiting;
    this.#waiting = {};
    return this.#send(sent);
  }
}
