import {
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from "@preact/signals";
import { type EntryPath, parentOf, parsePath } from "../../../shared/path.ts";
import type { Api } from "../../base/api/api.ts";
import { type Connection, isAway } from "../../base/api/connection.ts";
import type { Listing } from "../listing/listing.ts";
import type { EventSourceLike } from "../../base/core/when.ts";
import { delay } from "../../../shared/delay.ts";
import type { JobInfo } from "../../../shared/schemas/job.ts";
import type { RootsInfo } from "../../../shared/named_roots.ts";
import type { UnreadState } from "../../../shared/schemas/notification.ts";
import type { RootAccess } from "../../base/core/root_access.ts";
import { Refresher } from "../../base/core/throttle.ts";
import type { Session } from "../../base/session/session.ts";
import type { Tasks } from "../../base/files/tasks.ts";
import type { UploadsState } from "../uploads/lazy_uploads.ts";

// In the chunk that every visit loads late, as each of its own would split the others.
export { keepInstallable } from "../offline/install.ts";
export { receiveSharedFiles } from "../offline/shared_files.ts";

/** The first and the longest delay before a reconnect, in milliseconds. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** How long jobs are shown without an event about them, in milliseconds. */
const SILENCE_MS = 10_000;

/** The dependencies of the live updates. */
export interface LiveOptions {
  api: Pick<Api, "watch">;
  session: Pick<Session, "ended">;
  connection: Pick<Connection, "isLost">;
  listing: Pick<Listing, "path" | "resource" | "status" | "failure" | "reload" | "news">;
  uploads: ReadonlySignal<UploadsState>;
  tasks: Pick<Tasks, "update">;
  /** How many notifications are not read. */
  news: Signal<UnreadState>;
  rootAccess: Pick<RootAccess, "update">;
  window: EventSourceLike;
  document: EventSourceLike & Pick<Document, "visibilityState">;
}

/**
 * Reloads the open folder, or tells of news beside the open file, when the server reports a change,
 * when the window gets the focus and when the connection is restored: network disks report no
 * changes. Nothing is watched while the tab is hidden, nor during uploads, as a browser has few
 * connections to a server; then each finished file triggers a reload.
 *
 * @returns a function that stops it
 */
export function keepFresh(options: LiveOptions): () => void {
  const { session, connection, listing, uploads, tasks, window, document } = options;
  const refresher = new Refresher(async () => {
    if (listing.status.peek() !== "ready") return;
    if (listing.resource.peek()?.isDir) await listing.reload();
    else listing.news.value++;
  });
  const isVisible = signal(document.visibilityState === "visible");
  const watched = computed(() => {
    const free = uploads.value.phase !== "busy" && session.ended.value === null;
    if (listing.status.value !== "ready" || !free || !isVisible.value) return null;
    const path = listing.path.value;
    return listing.resource.value?.isDir ? path : parentOf(path);
  });

  const onFocus = () => refresher.ask();
  const onVisibility = () => {
    isVisible.value = document.visibilityState === "visible";
    if (isVisible.peek()) refresher.ask();
  };
  window.addEventListener("focus", onFocus);
  document.addEventListener("visibilitychange", onVisibility);
  const stopWatching = effect(() => {
    const path = watched.value;
    if (path === null) {
      const timer = setTimeout(() => tasks.update([]), SILENCE_MS);
      return () => clearTimeout(timer);
    }
    const controller = new AbortController();
    untracked(() => void watch(path, options, refresher, controller.signal));
    return () => controller.abort();
  });
  const stopCounting = effect(() => {
    const { phase, done } = uploads.value;
    if (phase === "busy" && done > 0) refresher.ask();
  });
  const comeBack = () => {
    const hasFailed = listing.status.peek() === "failed";
    if (!hasFailed) refresher.ask();
    else if (isAway(listing.failure.peek()?.status ?? 0)) void listing.reload();
  };
  let wasCutOff = false;
  const stopWaiting = effect(() => {
    const isCutOff = connection.isLost.value || session.ended.value !== null;
    if (wasCutOff && !isCutOff) untracked(() => comeBack());
    wasCutOff = isCutOff;
  });
  return () => {
    stopWaiting();
    window.removeEventListener("focus", onFocus);
    document.removeEventListener("visibilitychange", onVisibility);
    stopWatching();
    stopCounting();
    refresher.stop();
  };
}

/** Watches one folder until aborted; after each lost connection changes may have been missed. */
async function watch(
  path: EntryPath,
  { api, listing, tasks, news, rootAccess }: LiveOptions,
  refresher: Refresher,
  signal: AbortSignal,
): Promise<void> {
  let losses = 0;
  let silence: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(silence), { once: true });
  while (!signal.aborted) {
    const answer = await api.watch(path, signal);
    if (signal.aborted) return;
    if (answer.ok) {
      await readEvents(answer.value, (event) => {
        const { kind } = event;
        if (kind !== "changed") clearTimeout(silence);
        if (kind === "jobs") return tasks.update(event.jobs);
        if (kind === "notifications") return void (news.value = event.news);
        // A group that gives or takes rights changes folders, and the actions in them.
        const hasOtherRoots = kind !== "changed" && rootAccess.update(event.roots);
        if (hasOtherRoots) refresher.ask();
        if (kind === "roots") return;
        // Without jobs the server does not speak of them.
        if (kind === "ready") silence = setTimeout(() => tasks.update([]), SILENCE_MS);
        // The time of the folder tells nothing of the open file.
        const { isDir, modified } = listing.resource.peek() ?? {};
        const isNews = kind === "changed" || losses > 0 ||
          (kind === "ready" && (!isDir || event.modified !== modified));
        if (kind === "ready") losses = 0;
        if (isNews) refresher.ask();
      });
    } else if (isFinal(answer.status)) {
      if (answer.status === 403 || answer.status === 404) refresher.ask();
      return;
    }
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** losses++);
    await delay(answer.ok ? wait : (answer.retryAfter ?? 0) * 1000 || wait, signal);
  }
}

/** Signed out, forbidden, gone, or not supported: a retry would change nothing. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429 || status === 501;
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  tell: (event: LiveEvent) => void,
): Promise<void> {
  try {
    for await (const event of liveEvents(body)) tell(event);
  } catch {
    // The connection is lost: the caller reconnects.
  }
}

/** An event of a watched folder. */
export type LiveEvent =
  /** The watch is active; the folder's modification time. */
  | { kind: "ready"; modified: string; roots: RootsInfo | null }
  | { kind: "changed" }
  /** The user's jobs that are not over. */
  | { kind: "jobs"; jobs: JobInfo[] }
  /** The user's named roots are others than before. */
  | { kind: "roots"; roots: RootsInfo | null }
  /** How many of the user's notifications are not read. */
  | { kind: "notifications"; news: UnreadState };

/** Reads server-sent events as a stream; ends, or throws, when the connection does. */
async function* liveEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) yield event;
    }
  }
}

function parseEvent(block: string): LiveEvent | null {
  const kind = /^event: (.*)$/m.exec(block)?.[1];
  if (kind === "changed") return { kind };
  const data = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "{}");
  if (kind === "jobs") return { kind, jobs: data };
  if (kind === "notifications") return { kind, news: data };
  if (kind === "roots") return { kind, roots: data };
  const { modified, roots = null } = data;
  return kind === "ready" ? { kind, modified: String(modified), roots } : null;
}

/** How long a file is on screen before it counts as opened, in milliseconds: not while flicking. */
const DWELL_MS = 1000;

/**
 * Tells the server which files the user opens, for the list of recent ones.
 *
 * @returns a function that stops it
 */
export function noteOpened(
  { calls }: Pick<Api, "calls">,
  { resource }: Pick<Listing, "resource">,
): () => void {
  let noted: EntryPath | null = null;
  return effect(() => {
    const file = resource.value;
    const at = file && !file.isDir ? parsePath(file.path).path : null;
    if (at === noted) return;
    noted = null;
    if (at === null) return;
    const timer = setTimeout(() => {
      noted = at;
      void calls.done("PUT /api/recent/{path}", { params: { path: at } });
    }, DWELL_MS);
    return () => clearTimeout(timer);
  });
}
