import { effect, untracked } from "@preact/signals";
import type { i18n as I18n } from "i18next";
import { isInside, parentOf, parsePath, ROOT } from "../../shared/path.ts";
import type { Permissions } from "../../shared/api_types.ts";
import { Actions } from "../actions/actions.ts";
import type { Api } from "../api/api.ts";
import { Clipboard } from "../actions/clipboard.ts";
import { keepListing } from "../listing/kept_listing.ts";
import { LazyUploads } from "../uploads/lazy_uploads.ts";
import { Listing } from "../listing/listing.ts";
import { type BrowserWindow, filesTitle, Navigation } from "./navigation.ts";
import { mayUser } from "../core/page.ts";
import type { PageData } from "../../shared/page_data.ts";
import { Preferences, ViewModes } from "../listing/view_modes.ts";
import type { Prompts } from "../prompts/prompts.ts";
import { success } from "../../shared/result.ts";
import type { Session } from "../session/session.ts";
import { Tasks } from "../live/tasks.ts";
import type { Toasts } from "../ui/toasts.ts";
import type { UploadsOutcome } from "../uploads/upload_queue.ts";

/** The stores of the files page. */
export interface Files {
  navigation: Navigation;
  listing: Listing;
  view: ViewModes;
  uploads: LazyUploads;
  /** Copies, moves and deletions under way. */
  tasks: Tasks;
  /** The copied or cut entries. */
  clipboard: Clipboard;
  actions: Actions;
}

/** The dependencies of the stores of the files page. */
export interface FilesOptions {
  data: PageData;
  i18n: I18n;
  api: Api;
  session: Session;
  prompts: Prompts;
  toasts: Toasts;
  /** The browser; null on the server. */
  browser: BrowserWindow | null;
}

/** Creates the stores of the files page and connects them. */
export function createFiles(options: FilesOptions): Files {
  const { data, i18n, api, session, prompts, toasts, browser } = options;
  const { t } = i18n;
  const may = (permission: keyof Permissions) => mayUser(session.user.peek(), permission);
  const path = data.files ? parsePath(data.files.path).path : ROOT;
  const navigation = new Navigation({
    baseUrl: data.config.BaseURL,
    place: { path, folder: data.files?.resource?.isDir ?? true },
    browser,
    titleOf: (place) => filesTitle(t, place.path),
    onAgain: () => void listing.reload(),
  });
  const listing = new Listing({
    api,
    initial: data.files,
    onSorted: (sorting) => void preferences.save({ sorting }),
  });
  const preferences = new Preferences(async (fields) => {
    const { id } = session.user.peek() ?? {};
    return id === undefined ? success(undefined) : await api.changeUser(id, fields);
  });
  const view = new ViewModes({
    initial: data.user?.viewMode,
    save: (viewMode) => void preferences.save({ viewMode }),
  });
  const uploads = new LazyUploads({
    api,
    prompts,
    mayReplace: () => may("modify"),
    entriesIn: (folder) => listing.path.peek() === folder ? listing.allByName() : null,
    parts: data.config.TusSettings,
    userId: () => session.user.peek()?.id,
    onSettled: (outcome) => settleUploads(outcome, options, listing),
    onUnloadable: () => toasts.error(t("errors.offline")),
    window: browser,
  });
  const tasks = new Tasks(browser);
  const clipboard = new Clipboard();
  const actions = new Actions({
    api,
    listing,
    navigation,
    prompts,
    tasks,
    clipboard,
    toasts,
    t,
    may,
    follows: () => session.user.peek()?.redirectAfterCopyMove ?? false,
  });
  navigation.keeps(() => keepListing(listing));
  if (browser) followPlace(navigation, listing, prompts);
  return { navigation, listing, view, uploads, tasks, clipboard, actions };
}

/** Opens the place of the address, and closes a prompt of the former place. */
function followPlace(navigation: Navigation, listing: Listing, prompts: Prompts): void {
  navigation.start();
  let shown = listing.path.peek();
  effect(() => {
    const { path } = navigation.place.value;
    untracked(() => {
      if (path === shown) return;
      shown = path;
      prompts.close();
      const left = listing.resource.peek();
      const leavesFile = left?.isDir === false && parentOf(parsePath(left.path).path) === path;
      void listing.open(path, leavesFile ? left.name : undefined);
    });
  });
}

function settleUploads(outcome: UploadsOutcome, options: FilesOptions, listing: Listing): void {
  const { toasts, i18n: { t } } = options;
  const { done, failed, destinations } = outcome;
  if (failed > 0) toasts.error(t("failures.upload", { count: failed }));
  else if (done > 0) toasts.success(t("toasts.uploaded", { count: done }));
  const here = listing.path.peek();
  const concerned = [...destinations].some((folder) => isInside(here, folder));
  if (concerned) void listing.reload();
}
