import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { parentOf, parsePath } from "../../../shared/path.ts";
import { openLocalStorage, openTabStorage } from "../../base/core/browser_storage.ts";
import { usePage, useShared } from "../../base/core/page.ts";
import { type MusicRequest, useMusicRequests } from "../../base/core/use_panels.ts";
import { useApi, useToasts } from "../../base/core/use_site.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { coverOf } from "../preview/preview_source.ts";
import { musicIn, musicOf } from "./folder_music.ts";
import { connectKeys, setMetadata, setPosition } from "./media_session.ts";
import { Music } from "./music.ts";

/** The music of the page: one for as long as it lives, whatever folder is open. */
export function useMusic(): Music {
  const { t } = useTranslation();
  const { user } = usePage().data;
  const api = useApi();
  const toasts = useToasts();
  return useShared("music", () => {
    const sound = new Audio();
    const music = new Music({
      api,
      sound,
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
export function useSystemPlayer(music: Music): void {
  const api = useApi();
  const { ThumbKinds } = usePage().data.config;
  const session = navigator.mediaSession as MediaSession | undefined;
  const entry = music.queue.current.value?.entry;
  const { at, of } = music.time.value;
  const isPlaying = music.isPlaying.value;

  useEffect(() => entry ? connectKeys(music, session) : undefined, [music, entry === undefined]);
  useEffect(() => {
    if (!entry) return;
    setMetadata(session, entry, ThumbKinds.includes("audio") ? coverOf(api, entry) : "");
  }, [entry?.path]);
  useEffect(() => setPosition(session, music), [Math.round(at), of, isPlaying]);
}

function pauseOthers(): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>("audio, video")) other.pause();
}
