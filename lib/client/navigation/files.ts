import { effect, untracked } from "@preact/signals";
import type { i18n as I18n } from "i18next";
import { isInside, parentOf, parsePath, ROOT } from "../../shared/path.ts";
import type { Permissions } from "../../shared/api_types.ts";
import { Actions } from "../actions/actions.ts";
import type { Api } from "../api/api.ts";
import { Clipboard } from "../actions/clipboard.ts";
import { keepListing } from "../listing/kept_listing.ts";
import { LateUploads } from "../uploads/late_uploads.ts";
import { Listing } from "../listing/listing.ts";
import { Navigation, type Surroundings } from "./navigation.ts";
import { mayUser, type PageData } from "../core/page.ts";
import { Preferences } from "../core/preferences.ts";
import type { Prompts } from "../prompts/prompts.ts";
import { success } from "../api/result.ts";
import type { Session } from "../session/session.ts";
import { Tasks } from "../live/tasks.ts";
import { filesTitle } from "../core/titles.ts";
import type { Toasts } from "../ui/toasts.ts";
import type { UploadsOutcome } from "../uploads/upload_queue.ts";
import { ViewModes } from "../listing/view_modes.ts";

/** The stores of the files page. */
export interface Files {
  navigation: Navigation;
  listing: Listing;
  view: ViewModes;
  uploads: LateUploads;
  /** Copies, moves and deletions under way. */
  tasks: Tasks;
  /** What was copied or cut. */
  clipboard: Clipboard;
  actions: Actions;
}

/** What the stores of the files page are made from. */
export interface FilesOptions {
  data: PageData;
  i18n: I18n;
  api: Api;
  session: Session;
  prompts: Prompts;
  toasts: Toasts;
  /** The browser; null on the server. */
  around: Surroundings | null;
}

/** Makes the stores of the files page and has each hear of what concerns it. */
export function createFiles(options: FilesOptions): Files {
  const { data, i18n, api, session, prompts, toasts, around } = options;
  const { t } = i18n;
  const may = (permission: keyof Permissions) => mayUser(session.user.peek(), permission);
  const path = data.files ? parsePath(data.files.path).path : ROOT;
  const navigation = new Navigation({
    baseUrl: data.config.BaseURL,
    place: { path, folder: data.files?.resource?.isDir ?? true },
    around,
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
  const uploads = new LateUploads({
    api,
    prompts,
    mayReplace: () => may("modify"),
    entriesIn: (folder) => listing.path.peek() === folder ? listing.allByName() : null,
    onSettled: (outcome) => settleUploads(outcome, options, listing),
    onUnloadable: () => toasts.error(t("errors.offline")),
    window: around,
  });
  const tasks = new Tasks(around);
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
  });
  navigation.keeps(() => keepListing(listing));
  if (around) followPlace(navigation, listing, prompts);
  return { navigation, listing, view, uploads, tasks, clipboard, actions };
}

/** Shows what the address names, and closes the prompt that belonged to the former place. */
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
