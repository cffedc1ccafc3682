import { ConnectionNotice, ToastStack } from "../components/Toasts.tsx";
import { DropZone } from "../components/DropZone.tsx";
import { Prompts } from "../components/Prompts.tsx";
import { UploadMenu } from "../components/UploadMenu.tsx";
import { lazy } from "../lib/client/lazy.ts";
import { useLazy, useResuming, useSession } from "../lib/client/use_site.ts";
import { useActionMenu } from "../lib/client/use_action_menu.ts";
import { useClipEvents } from "../lib/client/use_clip_events.ts";
import { useDragging } from "../lib/client/use_dragging.ts";
import { useFileActions, useFiles } from "../lib/client/use_files.ts";
import { useSearchPanel } from "../lib/client/use_panels.ts";

const listingParts = lazy(() => import("../components/listing_parts.ts"));
const pageParts = lazy(() => import("../components/page_parts.ts"));
const searchPanel = lazy(() => import("../components/search/SearchPanel.tsx"));
const signInPrompt = lazy(() => import("../components/SignInPrompt.tsx"));

/** Everything that appears over the files page for a while: toasts, uploads, menus, dialogs. */
export function Overlays() {
  useClipEvents();
  useDragging();
  const may = useFileActions();
  return (
    <>
      <div className="corner">
        <ConnectionNotice />
        <ToastStack />
        <Progress />
      </div>
      {may.create && <UploadMenu />}
      <OpenActionMenu />
      <DropZone />
      <Prompts />
      <OpenSearch />
      <ExpiredSession />
    </>
  );
}

/** Copies, moves, deletions and uploads under way. */
function Progress() {
  const { uploads, tasks } = useFiles();
  const isUploading = uploads.now.value.phase !== "idle";
  const isWorking = tasks.shown.value.length > 0;
  const code = useLazy(pageParts, isWorking || isUploading);
  return (
    <>
      {isWorking && code && <code.TaskCards />}
      {isUploading && code && <code.UploadPanel />}
    </>
  );
}

/** The menu of actions while it is open. */
function OpenActionMenu() {
  const menu = useActionMenu();
  const request = menu.value;
  const code = useLazy(listingParts, request !== null);
  if (!request || !code) return null;
  const close = () => {
    if (menu.peek() === request) menu.value = null;
  };
  return <code.ActionMenu request={request} onClose={close} />;
}

/** The search while it is open. */
function OpenSearch() {
  const open = useSearchPanel();
  const code = useLazy(searchPanel, open.value);
  if (!open.value || !code) return null;
  return <code.SearchPanel onClose={() => open.value = false} />;
}

/** Asks the user to sign in again when the session has expired under the page. */
function ExpiredSession() {
  const session = useSession();
  const resumes = useResuming();
  const hasExpired = resumes && session.ended.value === "expired";
  const code = useLazy(signInPrompt, hasExpired);
  return hasExpired && code ? <code.SignInPrompt /> : null;
}
