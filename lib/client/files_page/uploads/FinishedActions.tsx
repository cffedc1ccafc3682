import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { when } from "../../base/core/when.ts";
import type { Listing } from "../listing/listing.ts";
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
async function showFinished(
  { arrived }: FinishedUploads,
  { listing, navigation, uploads }: Files,
): Promise<void> {
  const [first] = arrived.keys();
  const here = listing.path.peek();
  const folder = arrived.has(here) ? here : first;
  if (folder === undefined || !await navigation.guard.mayLeave()) return;
  uploads.queue?.dismiss();
  const names = [...arrived.get(folder) ?? []];
  const [name = ""] = names;
  if (folder !== here) {
    navigation.go(folder);
    await when(listing.path, (path) => path === folder);
    await when(listing.status, (status) => status !== "loading");
  }
  // A large folder is read around the first of them.
  if (listing.rows.peek().indexOf(name) < 0) await listing.open(folder, name);
  if (listing.path.peek() !== folder) return;
  listing.selection.selectNames(names);
  listing.cursor.call(listing.rows.peek().indexOf(name));
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
