import type { TFunction } from "i18next";
import type { Incoming } from "../drag/dropped.ts";
import { readInput } from "../drag/dropped.ts";
import type { Files } from "../../base/files/use_files.ts";
import type { Prompts } from "../../base/prompts/prompts.ts";
import type { Toasts } from "../../base/ui/toasts.ts";
import { ROOT } from "../../../shared/path.ts";
import { sharedCache } from "./service_worker.ts";

/** Windows of an installed app: only such an app is in the system's share menu. */
const APP = "(display-mode: standalone), (display-mode: minimal-ui), " +
  "(display-mode: fullscreen), (display-mode: window-controls-overlay)";

/** The query parameter of the page that takes shared files. */
const PARAMETER = "shared";

/**
 * Takes the files that the service worker has kept, so that they are kept no longer. A page outside
 * of an installed app gets none: a form of another site can lead there, too.
 */
async function takeSharedFiles(base: string, storage: CacheStorage): Promise<File[]> {
  const name = sharedCache(base);
  if (!await storage.has(name)) return [];
  const files: File[] = [];
  if (matchMedia(APP).matches) {
    const cache = await storage.open(name);
    for (const request of await cache.keys()) {
      const kept = await cache.match(request);
      if (!kept) continue;
      const { headers } = kept;
      const lastModified = Number(headers.get("x-modified"));
      const type = headers.get("content-type") ?? "";
      const called = nameOfShared(headers.get("x-name"));
      files.push(new File([await kept.blob()], called, { type, lastModified }));
    }
  }
  await storage.delete(name);
  return files;
}

/** A name that apps have given a file may hold what a path has. */
function nameOfShared(encoded: string | null): string {
  return decodeURIComponent(encoded ?? "").replaceAll("/", "_") || "file";
}

/** The dependencies of the page that files are shared with. */
export interface SharingPage extends Pick<Files, "uploads" | "navigation"> {
  base: string;
  prompts: Prompts;
  toasts: Toasts;
  t: TFunction;
  mayCreate: boolean;
}

/** Asks which folder shared files go to, and uploads them there; if the address says that there are any. */
export async function receiveSharedFiles(page: SharingPage): Promise<void> {
  const url = new URL(location.href);
  const outcome = url.searchParams.get(PARAMETER);
  if (outcome === null || !globalThis.caches) return;
  url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, "", url);
  const { prompts, toasts, t, uploads, navigation } = page;
  const files = await takeSharedFiles(page.base, caches);
  if (outcome === "failed") return void toasts.error(t("offline.notTaken"));
  if (files.length === 0) return;
  if (!page.mayCreate) return void toasts.error(t("offline.mayNot"));
  const folder = await prompts.open("destination", {
    action: "upload",
    paths: [],
    names: files.map(({ name }) => name),
    start: ROOT,
    mayCreate: true,
  });
  if (folder === null) return;
  const incoming: Incoming[] = readInput(files);
  navigation.go(folder, { folder: true });
  await uploads.add(folder, incoming);
}
