import { ConnectionNotice } from "../lib/client/live/ConnectionNotice.tsx";
import { DropZone } from "../lib/client/drag/DropZone.tsx";
import { ActionMenuSlot } from "../lib/client/menu/ActionMenuSlot.tsx";
import { Prompts } from "../lib/client/prompts/Prompts.tsx";
import { SearchSlot } from "../lib/client/search/SearchSlot.tsx";
import { SignInSlot } from "../lib/client/session/SignInSlot.tsx";
import { ToastStack } from "../lib/client/ui/ToastStack.tsx";
import { UploadMenu } from "../lib/client/uploads/UploadMenu.tsx";
import { useLateParts } from "../lib/client/navigation/use_late_parts.ts";
import { useClipEvents } from "../lib/client/actions/use_clip_events.ts";
import { useDragging } from "../lib/client/drag/use_dragging.ts";
import { useFileActions } from "../lib/client/menu/use_file_actions.ts";
import { useFiles } from "../lib/client/navigation/use_files.ts";

/** What comes up over the files page and goes again: toasts, uploads, menus, questions. */
export function Overlays() {
  useClipEvents();
  useDragging();
  const { uploads, tasks } = useFiles();
  const may = useFileActions();
  const shown = uploads.now.value.phase !== "idle";
  const working = tasks.shown.value.length > 0;
  const parts = useLateParts(shown || working);
  return (
    <>
      <div className="corner">
        <ConnectionNotice />
        <ToastStack />
        {working && parts && <parts.TaskCards />}
        {shown && parts && <parts.UploadPanel />}
      </div>
      {may.create && <UploadMenu />}
      <ActionMenuSlot />
      <DropZone />
      <Prompts />
      <SearchSlot />
      <SignInSlot />
    </>
  );
}
