import "./SharedFiles.tsx";
import type { Resource } from "../../../shared/schemas/entry.ts";
import { ToastStack } from "../../base/ui/Toasts.tsx";
import { OpenDetails } from "../../files_page/layout/FilesArea.tsx";
import { Prompts } from "../../files_page/layout/Prompts.tsx";
import { OfficeScreen } from "../office/OfficeScreen.tsx";

/** The props of {@linkcode SharedOffice}. */
export interface SharedOfficeProps {
  entry: Resource;
}

/** A shared document in the office server, by the stores of what is shared. */
export function SharedOffice({ entry }: SharedOfficeProps) {
  return (
    <>
      <main className="sheet" id="content">
        <OfficeScreen entry={entry} />
        <OpenDetails />
      </main>
      <Prompts />
      <div className="corner">
        <ToastStack />
      </div>
    </>
  );
}
