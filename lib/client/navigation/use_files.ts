import { IS_BROWSER } from "fresh/runtime";
import type { Signal } from "@preact/signals";
import type { NotificationNews } from "../../shared/schemas/notification.ts";
import { useNotificationNews, useShellPanel } from "../core/use_panels.ts";
import type { Api } from "../api/api.ts";
import type { Connection } from "../api/connection.ts";
import { createFiles, type Files } from "./files.ts";
import { lazy } from "../core/lazy.ts";
import type { BrowserWindow } from "./navigation.ts";
import { mayUser, usePage, useShared } from "../core/page.ts";
import { type RootAccess, useRootAccess } from "../core/root_access.ts";
import type { Session } from "../session/session.ts";
import {
  useApi,
  useConnection,
  useMay,
  usePrompts,
  useSession,
  useToasts,
} from "../core/use_site.ts";
import { type EntryPath, nameOf, parentOf } from "../../shared/path.ts";
import { useTranslation } from "../core/use_translation.ts";
import { useEffect, useRef } from "react";

const live = lazy(() => import("../live/live.ts"));

export type { Files } from "./files.ts";

/** The stores of the files page. Read their signals in the component that shows them. */
export function useFiles(): Files {
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
    const files = createFiles({ data, i18n, api, session, prompts, toasts, rootAccess, browser });
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
}

/** Not needed by the first paint, so its code is loaded later. */
async function keepFresh(
  files: Files,
  { api, session, connection, news, rootAccess }: {
    api: Api;
    session: Session;
    connection: Connection;
    news: Signal<NotificationNews>;
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

/** The state of the open folder or file, regardless of the selection. */
export interface FileActions {
  /** Whether the user may create entries here. */
  create: boolean;
  /** Nothing can be changed in the open folder, whatever the permissions. */
  closed: boolean;
  /** A folder is open or loading. */
  here: boolean;
  /** Whether the user may read the content of files. */
  download: boolean;
  /** Whether commands can be typed: the server refuses them where nothing can be changed. */
  shell: boolean;
}

/** The actions in the open folder; for the selection see `useCommands()`. */
export function useFileActions(): FileActions {
  const may = useMay();
  const { allowed: hasShell } = useShellPanel();
  const { listing, navigation } = useFiles();
  const folder = presentFolder({ navigation, listing });
  const closed = !useRootAccess().canAddTo(folder) || listing.resource.value?.readOnly === true;
  return {
    create: may("create") && !closed,
    closed,
    download: may("download"),
    shell: hasShell && !closed,
    here: listing.resource.value?.isDir ??
      (listing.status.value === "loading" && navigation.place.value.folder),
  };
}

/** The name of the folder or file on screen. */
export function usePlaceName(): string {
  const { t } = useTranslation();
  const { listing } = useFiles();
  return nameOf(listing.path.value) || t("files.myFiles");
}

/** The folder on screen, or the one that holds the file on screen. */
export function presentFolder({ navigation, listing }: Pick<Files, "navigation" | "listing">) {
  const { path, folder } = navigation.place.value;
  const resource = listing.path.value === path ? listing.resource.value : null;
  const here: EntryPath = resource?.isDir ?? folder ? path : parentOf(path);
  return here;
}

/** Calls `close` once another place is shown, by the back button or otherwise. */
export function useLeftPlace(close: () => void): void {
  const { path } = useFiles().navigation.place.value;
  const first = useRef(path);
  useEffect(() => {
    if (path !== first.current) close();
  }, [path]);
}
