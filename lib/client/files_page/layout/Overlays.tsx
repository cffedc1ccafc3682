import { useEffect, useState } from "react";
import { openTabStorage } from "../../base/core/browser_storage.ts";
import { ConnectionNotice, ToastStack } from "../../base/ui/Toasts.tsx";
import { DropZone, useDragging } from "../drag/DropZone.tsx";
import { Prompts } from "./Prompts.tsx";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy, useResuming, useSession } from "../../base/core/use_site.ts";
import { useLazyDialog } from "../../base/ui/use_lazy_dialog.ts";
import { useClipEvents } from "../actions/use_clip_events.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { usePage } from "../../base/core/page.ts";
import { useMusicRequests, useSearchPanel, useViewMenu } from "../../base/core/use_panels.ts";

const player = lazy(() => import("../../screens/music/MiniPlayer.tsx"), "players");
const pageParts = lazy(() => import("./late_page.ts"));
const searchPanel = lazy(() => import("../../screens/search/SearchPanel.tsx"));
const viewMenu = lazy(() => import("../listing/view/ViewMenu.tsx"));
const signInPrompt = lazy(() => import("../../base/session/SignInPrompt.tsx"));

/** Everything that appears over the files page for a while: toasts, uploads, dialogs. */
export function Overlays() {
  useClipEvents();
  useDragging();
  return (
    <>
      <Corner />
      <OpenViewMenu />
      <DropZone />
      <Prompts />
      <OpenSearch />
      <OpenPlayer />
      <ExpiredSession />
    </>
  );
}

/** Toasts and progress, in the corner of the page. */
export function Corner() {
  return (
    <div className="corner">
      <ConnectionNotice />
      <ToastStack />
      <Progress />
    </div>
  );
}

/** Copies, moves, deletions and uploads under way. */
function Progress() {
  const { uploads, tasks } = useFiles();
  const { phase, finished } = uploads.now.value;
  const isUploading = phase !== "idle" || finished !== null || uploads.interrupted.value.length > 0;
  const isWorking = tasks.shown.value.length > 0;
  const code = useLazy(pageParts, isWorking || isUploading);
  return (
    <>
      {isWorking && code && <code.TaskCards />}
      {isUploading && code && <code.UploadPanel />}
    </>
  );
}

/** The menu of the view while it is open. */
function OpenViewMenu() {
  const menu = useViewMenu();
  const at = menu.value;
  const code = useLazy(viewMenu, at !== null);
  if (!at || !code) return null;
  return <code.ViewMenu at={at} onClose={() => menu.value = null} />;
}

/** The search while it is open: by hand, or by the address. */
function OpenSearch() {
  const open = useSearchPanel();
  useEffect(() => {
    const follow = () => open.value = location.search.includes("search=");
    follow();
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const close = () => {
    open.value = false;
  };
  const code = useLazyDialog(searchPanel, open.value, close);
  if (!open.value || !code) return null;
  return (
    <code.SearchPanel onClose={close}>
      <Corner />
    </code.SearchPanel>
  );
}

/** The music player, once there was music: asked for, or before a reload. */
export function OpenPlayer() {
  const { user } = usePage().data;
  const requests = useMusicRequests();
  const [isKept, setKept] = useState(false);
  useEffect(() => setKept(openTabStorage().getItem(`music.${user?.id}`) !== null), []);
  const code = useLazy(player, isKept || requests.value.length > 0);
  return code && <code.MiniPlayer />;
}

/** Asks the user to sign in again when the session has expired under the page. */
export function ExpiredSession() {
  const session = useSession();
  const resumes = useResuming();
  const hasExpired = resumes && session.ended.value === "expired";
  const code = useLazyDialog(signInPrompt, hasExpired);
  return hasExpired && code ? <code.SignInPrompt /> : null;
}
