import { ConnectionNotice } from "../components/ConnectionNotice.tsx";
import { DropZone } from "../components/DropZone.tsx";
import { ActionMenuSlot } from "../components/ActionMenuSlot.tsx";
import { Prompts } from "../components/Prompts.tsx";
import { SearchSlot } from "../components/search/SearchSlot.tsx";
import { SignInSlot } from "../components/SignInSlot.tsx";
import { ToastStack } from "../components/ToastStack.tsx";
import { UploadMenu } from "../components/UploadMenu.tsx";
import { useLateParts } from "../components/use_late_parts.ts";
import { useClipEvents } from "../lib/client/use_clip_events.ts";
import { useDragging } from "../lib/client/use_dragging.ts";
import { useFileActions } from "../lib/client/use_file_actions.ts";
import { useFiles } from "../lib/client/use_files.ts";

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
