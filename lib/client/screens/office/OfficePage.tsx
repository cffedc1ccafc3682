import type { Resource } from "../../../shared/schemas/entry.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { OpenDetails } from "../../files_page/layout/FilesArea.tsx";
import { Corner, ExpiredSession } from "../../files_page/layout/Overlays.tsx";
import { Prompts } from "../../files_page/layout/Prompts.tsx";
import { FileSkeleton } from "../../files_page/listing/Skeletons.tsx";
import { OfficeHead } from "./OfficeHead.tsx";

const screen = lazy(() => import("./OfficeScreen.tsx"));

/** A document in the office server, with all that appears over it. */
export function OfficePage({ entry }: { entry: Resource }) {
  const code = useLazy(screen, true);
  return (
    <>
      <main className="sheet" id="content">
        {code ? <code.OfficeScreen entry={entry} /> : (
          <section className="viewer office">
            <OfficeHead entry={entry} />
            <div className="office__stage">
              <FileSkeleton isText />
            </div>
          </section>
        )}
        <OpenDetails />
      </main>
      <Corner />
      <Prompts />
      <ExpiredSession />
    </>
  );
}
