/**
 * Opens the stores of the files page. Each island of that page imports this module, directly or by
 * way of `islands/FilesPage.tsx`, so that `useFiles()` works in it.
 */
import "../../base/open_site.ts";
import { IS_BROWSER } from "fresh/runtime";
import { effect, type Signal, signal, untracked } from "@preact/signals";
import type { i18n } from "i18next";
import { type EntryPath, isInside, parsePath, relativePath, ROOT } from "../../../shared/path.ts";
import type { Permissions } from "../../../shared/schemas/rights.ts";
import type { FolderView } from "../../../shared/schemas/view.ts";
import { Actions } from "../actions/actions.ts";
import type { Api } from "../../base/api/api.ts";
import { Clipboard } from "../actions/clipboard.ts";
import { keepListing } from "../listing/kept_listing.ts";
import { LazyUploads } from "../uploads/lazy_uploads.ts";
import { Listing, type ListSource } from "../listing/listing.ts";
import {
  type BrowserWindow,
  filesTitle,
  Navigation,
  type Place,
  type PlaceArea,
} from "../../base/navigation/navigation.ts";
import { type RootAccess, useRootAccess } from "../../base/core/root_access.ts";
import { useNotificationNews } from "../../base/core/use_panels.ts";
import {
  useApi,
  useConnection,
  usePrompts,
  useSession,
  useToasts,
} from "../../base/core/use_site.ts";
import { lazy } from "../../base/core/lazy.ts";
import { mayUser, mayViewer, usePage, useShared } from "../../base/core/page.ts";
import type { Area, PageData } from "../../../shared/page_data.ts";
import { type Preference, Preferences, ViewModes } from "../listing/view/view_modes.ts";
import type { Favorite } from "../../../shared/schemas/places.ts";
import type { Prompts } from "../../base/prompts/prompts.ts";
import { success } from "../../../shared/result.ts";
import type { Session } from "../../base/session/session.ts";
import { Tasks } from "../../base/files/tasks.ts";
import type { Toasts } from "../../base/ui/toasts.ts";
import type { UploadsOutcome } from "../uploads/upload_queue.ts";
import type { Connection } from "../../base/api/connection.ts";
import { type Files, provideFiles } from "../../base/files/use_files.ts";
import type { UnreadState } from "../../../shared/schemas/notification.ts";

const live = lazy(() => import("../live/live.ts"));

/** The dependencies of the stores of the files page. */
export interface FilesOptions {
  data: PageData;
  i18n: i18n;
  api: Api;
  session: Pick<Session, "user">;
  prompts: Prompts;
  toasts: Toasts;
  rootAccess: RootAccess;
  /** Where the addresses begin; that of the files by default. */
  area?: PlaceArea;
  /** The document's title at a place; that of the files by default. */
  titleOf?: (place: Place) => string;
  /** The browser; null on the server. */
  browser: BrowserWindow | null;
  /** What is listed, if that is not a folder at a time. */
  source?: ListSource | undefined;
}

/** What the areas beside the files list; the islands of each add theirs. They hold no user's data. */
export const listSources: Map<Area, (api: Api) => ListSource> = new Map();

/** Creates the stores of the files page and connects them. */
export function createFiles(options: FilesOptions): Files {
  const { data, i18n, api, session, prompts, toasts, rootAccess, browser, source } = options;
  const area = options.area ?? data.files?.area;
  const { titleOf = (place: Place) => filesTitle(i18n.t, place.path, data.files?.area) } = options;
  const { t, language } = i18n;
  const may = (permission: keyof Permissions) => mayViewer(data, session.user.peek(), permission);
  const path = data.files ? parsePath(data.files.path).path : ROOT;
  const navigation = new Navigation({
    baseUrl: data.config.BaseURL,
    area,
    place: { path, folder: data.files?.resource?.isDir ?? true },
    browser,
    titleOf,
    onAgain: () => void listing.reload(),
  });
  const listing = new Listing({
    api: source ?? api,
    initial: data.files,
    onOrdered: (order) => view.change(order),
  });
  const preferences = new Preferences<Preference>(async (fields) => {
    const { id } = session.user.peek() ?? {};
    return id === undefined ? success(undefined) : await api.changeUser(id, fields);
  });
  const views = new Preferences<Record<EntryPath, FolderView>>(async (chosen) => {
    const entries = Object.entries(chosen) as [EntryPath, FolderView][];
    const answers = await Promise.all(entries.map(([at, view]) => api.putView(at, view)));
    return answers.find(({ ok }) => !ok) ?? success(undefined);
  });
  browser?.addEventListener("pagehide", () => {
    preferences.flush();
    views.flush();
  });
  const view = new ViewModes({
    resource: listing.resource,
    account: data.user ?? undefined,
    pictured: may("download") && data.config.ThumbKinds.includes("image"),
    keep: (at, chosen) => void views.save({ [at]: chosen }),
    save: (fields) => preferences.save(fields),
    forget: async () => {
      await views.save({});
      return await api.clearViews();
    },
  });
  let failure: number | null = null;
  const closeFailure = () => {
    if (failure !== null) toasts.close(failure);
    failure = null;
  };
  const uploads = new LazyUploads({
    api,
    prompts,
    mayReplace: () => may("modify"),
    entriesIn: (folder) => listing.path.peek() === folder ? listing.allByName() : null,
    parts: data.config.TusSettings,
    userId: () => session.user.peek()?.id,
    keepsModified: () => session.user.peek()?.keepModified ?? false,
    onSettled: (outcome) => {
      closeFailure();
      const { failed } = outcome;
      if (failed > 0) failure = toasts.error(t("failures.upload", { count: failed }));
      reloadWhere(outcome, listing);
      const dismiss = () => uploads.queue?.dismiss();
      if (outcome.done > 0) actions.remember([outcome.job], dismiss);
    },
    onUnloadable: () => toasts.error(t("errors.offline")),
    window: browser,
  });
  // Its message names the list, so it goes with the last that is listed there.
  effect(() => {
    if (uploads.now.value.failed === 0) closeFailure();
  });
  const tasks = new Tasks();
  const clipboard = new Clipboard();
  const details = signal(false);
  const favorites = signal<readonly Favorite[]>(data.favorites ?? []);
  const actions = new Actions({
    favorites,
    api,
    listing,
    navigation,
    prompts,
    tasks,
    clipboard,
    toasts,
    details,
    t,
    language,
    may,
    rootAccess,
    follows: () => session.user.peek()?.redirectAfterCopyMove ?? false,
    asksToTrash: () => !session.user.peek()?.trashWithoutAsking,
  });
  navigation.keeps(() => keepListing(listing));
  if (browser) {
    followPlace(navigation, listing, prompts, browser.location.href);
    void uploads.offerInterrupted();
  }
  return { navigation, listing, view, uploads, tasks, clipboard, details, actions, favorites };
}

/** Opens the place of the address, and closes a prompt of the former place. */
function followPlace(
  navigation: Navigation,
  listing: Listing,
  prompts: Prompts,
  href: string,
): void {
  navigation.start();
  let shown = listing.path.peek();
  const openAt = (path: typeof shown, name: string) =>
    void listing.open(path, name).then(() => listing.cursor.call(listing.cursor.index.peek()));
  // Links from other pages name the entry that is to be seen.
  const named = new URL(href).searchParams.get("show");
  if (named !== null) openAt(shown, named);
  effect(() => {
    const { path } = navigation.place.value;
    untracked(() => {
      if (path === shown) return;
      const { folder, name } = listing.placeOf(shown);
      const leavesFile = listing.resource.peek()?.isDir === false && folder === path;
      const [, left] = leavesFile
        ? ["", name]
        : isInside(shown, path)
        ? relativePath(shown, path).split("/")
        : [];
      shown = path;
      prompts.close();
      if (left === undefined || leavesFile) return void listing.open(path, left);
      // A former history entry has its own cursor and selection.
      if (navigation.kept() !== null) return void listing.open(path);
      openAt(path, left);
    });
  });
}

/** Reads the open folder again, if uploads have arrived there. */
function reloadWhere({ arrived }: UploadsOutcome, listing: Listing): void {
  const here = listing.path.peek();
  const concerned = [...arrived.keys()].some((folder) => isInside(here, folder));
  if (concerned) void listing.reload();
}

provideFiles(() => {
  const { data, i18n } = usePage();
  const session = useSession();
  const api = useApi();
  const connection = useConnection();
  const prompts = usePrompts();
  const toasts = useToasts();
  const news = useNotificationNews();
  const rootAccess = useRootAccess();
  const browser = IS_BROWSER ? globalThis as unknown as BrowserWindow : null;
  return useShared("files", () => {
    const source = data.files?.area && listSources.get(data.files.area)?.(api);
    const site = { data, i18n, api, session, prompts, toasts, rootAccess };
    const files = createFiles({ ...site, browser, source });
    if (browser) {
      void keepFresh(files, { api, session, connection, news, rootAccess }, (code) => {
        const { config, locale } = data;
        void code.keepInstallable(config, `${locale} ${config.Theme}`.trim());
        const mayCreate = mayUser(session.user.peek(), "create");
        const { t } = i18n;
        const base = config.BaseURL;
        void code.receiveSharedFiles({ ...files, base, prompts, toasts, t, mayCreate });
      });
    }
    return files;
  });
});

/** Not needed by the first paint, so its code is loaded later. */
async function keepFresh(
  files: Files,
  { api, session, connection, news, rootAccess }: {
    api: Api;
    session: Session;
    connection: Connection;
    news: Signal<UnreadState>;
    rootAccess: RootAccess;
  },
  andThen: (code: typeof import("../live/live.ts")) => void,
): Promise<void> {
  const code = await live.load();
  if (code) andThen(code);
  const { listing, uploads, tasks } = files;
  if (session.user.peek()?.keepRecent) code?.noteOpened(api, listing);
  code?.keepFresh({
    api,
    session,
    connection,
    listing,
    uploads: uploads.now,
    tasks,
    news,
    rootAccess,
    window: globalThis,
    document,
  });
}
