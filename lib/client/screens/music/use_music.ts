import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { type EntryPath, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import { openLocalStorage, openTabStorage } from "../../base/core/browser_storage.ts";
import { usePage, useShared } from "../../base/core/page.ts";
import { type MusicRequest, useMusicRequests } from "../../base/core/use_panels.ts";
import { useApi, useToasts } from "../../base/core/use_site.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { MediaCalls } from "../../files_page/listing/thumbs/thumbs.ts";
import { coverOf } from "../preview/preview_source.ts";
import { playConverted } from "../preview/player/converted_sound.ts";
import { systemKeys, useSystemPlayer } from "../preview/player/system_player.ts";
import { Music } from "./music.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { Sorting } from "../../../shared/schemas/view.ts";
import type { Api } from "../../base/api/api.ts";
import { type Result, success } from "../../../shared/result.ts";

/** The music of the page: one for as long as it lives, whatever folder is open. */
export function useMusic(): Music {
  const { t } = useTranslation();
  const { user } = usePage().data;
  const api = useApi();
  const toasts = useToasts();
  return useShared("music", () => {
    const sound = new Audio();
    const music = new Music({
      ...{ api, sound, spare: new Audio() },
      convert: (at, player, seconds, events) =>
        playConverted(api, at, player as HTMLAudioElement, seconds, events),
      async infoOf({ path }) {
        const info = await new MediaCalls(api.calls).mediaInfo(parsePath(path).path);
        return info.ok ? info.value : undefined;
      },
      choices: openLocalStorage(),
      kept: openTabStorage(),
      userId: user?.id ?? 0,
      onUnplayable: ({ name }) => toasts.error(t("music.failed", { name: displayName(name) })),
      onPlay: pauseOthers,
    });
    // The player of a preview takes over; it is in the page, and this sound is not.
    document.addEventListener("play", () => music.pause(), true);
    addEventListener("pagehide", () => music.keep());
    return music;
  });
}

/** Takes the requests to the music player. */
export function useMusicTasks(music: Music): void {
  const { t } = useTranslation();
  const api = useApi();
  const toasts = useToasts();
  const { listing } = useFiles();
  const requests = useMusicRequests();
  const asked = requests.value;

  useEffect(() => {
    if (asked.length === 0) return;
    requests.value = [];
    for (const request of asked) void take(request);
  }, [asked]);

  async function take({ does, entries, seconds }: MusicRequest): Promise<void> {
    const [only] = entries;
    if (does === "play" && entries.length === 1 && only?.type === "audio") {
      music.start(entries, only.path, seconds);
      const folder = parentOf(parsePath(only.path).path);
      const beside = await musicIn(api, folder, listing.order.sorting);
      if (beside.ok) music.surround(beside.value);
      return;
    }
    const found = await musicOf(api, entries, () => listing.order.sorting);
    if (!found.ok) return void toasts.error(reasonOf(t, found));
    if (found.value.length === 0) return void toasts.error(t("music.none"));
    if (does === "play") return music.start(found.value);
    music.add(found.value);
    toasts.success(t("music.added"));
  }
}

/** Shows the music where the system shows what plays, and follows its keys. */
export function useSystemMusic(music: Music): void {
  const api = useApi();
  const { ThumbKinds } = usePage().data.config;
  const entry = music.queue.current.value?.entry;
  const { title, artist, album } = music.tags.value;
  const shown = entry && {
    title: title || titleOf(entry),
    artist,
    album: album || folderOf(entry),
    cover: ThumbKinds.includes("audio") ? coverOf(api, entry) : "",
  };
  useSystemPlayer(shown ?? null, { ...music.time.value, isPlaying: music.isPlaying.value }, {
    ...systemKeys({
      play: () => music.play(),
      pause: () => music.pause(),
      seek: (seconds) => music.seek(seconds),
      position: () => music.time.peek().at,
    }),
    nexttrack: () => music.next(),
    previoustrack: () => music.previous(),
  });
}

function pauseOthers(): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>("audio, video")) other.pause();
}

/** Entries of a folder that are read at a time. */
const WINDOW = 1000;

/** Most tracks of one folder. */
const MAX_TRACKS = 2000;

/** Most entries of one folder that are searched for tracks. */
const MAX_SEARCHED = 30_000;

/** The order of a folder: undefined leaves it to the server. */
type SortingOf = (folder: EntryPath) => Sorting | undefined;

/** The sounds of a folder, in its order; those of folders below it are left out. */
export async function musicIn(
  api: Pick<Api, "resource">,
  folder: EntryPath,
  sorting: Sorting | undefined,
): Promise<Result<Entry[]>> {
  const found: Entry[] = [];
  let [offset, total] = [0, 1];
  while (offset < Math.min(total, MAX_SEARCHED) && found.length < MAX_TRACKS) {
    const answer = await api.resource(folder, { offset, limit: WINDOW, sorting });
    if (!answer.ok) return answer;
    const { items = [], numDirs = 0, numFiles = 0 } = answer.value;
    found.push(...items.filter(({ type }) => type === "audio"));
    total = numDirs + numFiles;
    offset += Math.max(items.length, 1);
  }
  return success(found.slice(0, MAX_TRACKS));
}

/** The sounds among some entries, and in those that are folders; the first failure counts. */
export async function musicOf(
  api: Pick<Api, "resource">,
  entries: readonly Entry[],
  sortingOf: SortingOf,
): Promise<Result<Entry[]>> {
  const found: Entry[] = [];
  for (const entry of entries) {
    if (entry.type === "audio") found.push(entry);
    if (!entry.isDir) continue;
    const { path } = parsePath(entry.path);
    const inside = await musicIn(api, path, sortingOf(path));
    if (!inside.ok) return inside;
    found.push(...inside.value);
  }
  return success(found.slice(0, MAX_TRACKS));
}

/** The title of a track: its name without the extension. */
export function titleOf({ name, extension }: Pick<Entry, "name" | "extension">): string {
  const title = extension === undefined ? name : name.slice(0, name.length - extension.length);
  return displayName(title || name);
}

/** The name of the folder of a track; "" for the root. */
export function folderOf({ path }: Pick<Entry, "path">): string {
  return displayName(nameOf(parentOf(parsePath(path).path)));
}
