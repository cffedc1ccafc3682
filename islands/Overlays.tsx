import { DropZone } from "../components/DropZone.tsx";
import { Prompts } from "../components/Prompts.tsx";
import { ToastStack } from "../components/ToastStack.tsx";
import { useFiles } from "../lib/client/use_files.ts";
import { useLoaded } from "../lib/client/use_loaded.ts";

/** What comes up over the files page and goes again: toasts, uploads, the drop target, questions. */
export function Overlays() {
  const { uploads } = useFiles();
  const shown = uploads.now.value.phase !== "idle";
  const panel = useLoaded(shown, () => import("../components/UploadPanel.tsx"));
  return (
    <>
      <div className="corner">
        <ToastStack />
        {shown && panel && <panel.UploadPanel />}
      </div>
      <DropZone />
      <Prompts />
    </>
  );
}
