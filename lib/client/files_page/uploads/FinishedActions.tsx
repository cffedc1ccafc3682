import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import type { Listing } from "../listing/listing.ts";
import { reveal } from "../../base/files/reveal.ts";
import { type Files, useFiles } from "../../base/files/use_files.ts";
import type { FinishedUploads } from "./lazy_uploads.ts";

/** How long new rows are marked, in milliseconds; the same as in uploads.css. */
const MARKED_MS = 4000;

interface FinishedActionsProps {
  finished: FinishedUploads;
}

/** The buttons for uploads that have arrived: show them in their folder, or undo them. */
export function FinishedActions({ finished }: FinishedActionsProps) {
  const { t } = useTranslation();
  const files = useFiles();
  const { actions, uploads } = files;
  useNewRows(finished, files.listing);
  return (
    <div className="uploads__ways">
      <Button onClick={() => void showFinished(finished, files)}>{t("uploads.show")}</Button>
      <Button
        variant="quiet"
        onClick={() => {
          uploads.queue?.dismiss();
          void actions.undoJobs([finished.job]);
        }}
      >
        {t("buttons.undo")}
      </Button>
    </div>
  );
}

/** Opens the folder of the uploads, or the first of several, and selects what has arrived. */
async function showFinished({ arrived }: FinishedUploads, files: Files): Promise<void> {
  const { navigation, uploads } = files;
  const [first] = arrived.keys();
  // Not that of the listing, which may be of a folder that the user is leaving.
  const here = navigation.place.peek().path;
  const folder = arrived.has(here) ? here : first;
  if (folder === undefined || !await navigation.guard.mayLeave()) return;
  uploads.queue?.dismiss();
  await reveal(files, folder, [...arrived.get(folder) ?? []]);
}

/** Marks the rows of new entries for a while, as far as they are on screen. */
function useNewRows({ arrived }: FinishedUploads, listing: Listing): void {
  const rows = listing.rows.value;
  const names = arrived.get(listing.path.value);
  useEffect(() => {
    if (!names) return;
    for (const row of document.querySelectorAll<HTMLElement>(".row[data-index]")) {
      const entry = rows.at(Number(row.dataset.index));
      if (!entry || !names.has(entry.name) || marked.has(row)) continue;
      marked.add(row);
      row.dataset.new = "";
      setTimeout(() => delete row.dataset.new, MARKED_MS);
    }
  }, [rows, names]);
}

/** Rows are marked once. */
const marked = new WeakSet<Element>();
