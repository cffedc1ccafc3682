import { type Signal, signal } from "@preact/signals";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { UnreadState } from "../../../shared/schemas/notification.ts";
import { usePage, useShared } from "./page.ts";
import { useMay } from "./use_site.ts";

/** Whether the search panel is open. */
export function useSearchPanel(): Signal<boolean> {
  return useShared("search", () => signal(false));
}

/** Whether the sidebar is open as a drawer, on narrow screens. */
export function useDrawer(): Signal<boolean> {
  return useShared("drawer", () => signal(false));
}

/** Where the menu of the view is open, in CSS pixels of the window; null while it is closed. */
export function useViewMenu(): Signal<{ x: number; y: number } | null> {
  return useShared("view-menu", () => signal(null));
}

/** The shell's place on the page. */
export interface ShellPanelState {
  /** Whether this user may run commands on this server. */
  allowed: boolean;
  open: Signal<boolean>;
}

/** Whether the shell is available, and whether it is open. */
export function useShellPanel(): ShellPanelState {
  const { config } = usePage().data;
  const may = useMay();
  const open = useShared("shell-open", () => signal(false));
  return { allowed: config.EnableExec && may("execute"), open };
}

/** The command to the music player. */
export interface MusicRequest {
  /** `play`: instead of what plays; `add`: after it. */
  does: "play" | "add";
  /** Sounds, and folders with sounds. A single sound plays with those of its folder. */
  entries: readonly Entry[];
  /** Where the first one begins, in seconds. */
  seconds?: number;
}

/** Requests to the music player, which is loaded with the first of them, and takes them. */
export function useMusicRequests(): Signal<readonly MusicRequest[]> {
  return useShared("music-requests", () => signal<readonly MusicRequest[]>([]));
}

/** The path of the track in the music player at the foot of the page; null without one. */
export function useMusicTrack(): Signal<string | null> {
  return useShared("music-track", () => signal<string | null>(null));
}

/** How many notifications are not read: of the page, then as the server tells. */
export function useNotificationNews(): Signal<UnreadState> {
  const { unread = 0 } = usePage().data;
  return useShared("notifications", () => signal<UnreadState>({ unread, edition: 0 }));
}
