import { ConnectionNotice, ToastStack } from "../lib/client/ui/Toasts.tsx";
import { DropZone } from "../lib/client/drag/DropZone.tsx";
import { Prompts } from "../lib/client/prompts/Prompts.tsx";
import { UploadMenu } from "../lib/client/uploads/UploadMenu.tsx";
import { lazy } from "../lib/client/core/lazy.ts";
import { useLazy, useResuming, useSession } from "../lib/client/core/use_site.ts";
import { useActionMenu } from "../lib/client/menu/use_action_menu.ts";
import { useClipEvents } from "../lib/client/actions/use_clip_events.ts";
import { useDragging } from "../lib/client/drag/use_dragging.ts";
import { useFileActions, useFiles } from "../lib/client/navigation/use_files.ts";
import { useSearchPanel } from "../lib/client/core/use_panels.ts";

const listingParts = lazy(() => import("../lib/client/listing/listing_parts.ts"));
const pageParts = lazy(() => import("../lib/client/navigation/page_parts.ts"));
const searchPanel = lazy(() => import("../lib/client/search/SearchPanel.tsx"));
const signInPrompt = lazy(() => import("../lib/client/session/SignInPrompt.tsx"));

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
