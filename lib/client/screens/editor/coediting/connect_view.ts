import { type ChangeSet, Prec, type Text } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { yCollab, yUndoManagerKeymap } from "y-codemirror.next";
import { UndoManager } from "yjs";
import type { RoomText } from "../text_room.ts";
import type { CoeditedDoc } from "./coedited_doc.ts";
import { changesBetween } from "./merge_texts.ts";
import { type GuestWords, remoteCursors } from "./remote_cursors.ts";

/** A document for the view of a text: one undoes only what one has typed. */
export function connectView(doc: CoeditedDoc, guests: GuestWords) {
  const undoManager = new UndoManager(doc.text, { trackedOrigins: new Set() });
  return {
    text: {
      extension: [
        // Not by its own cursors: those have their names only under the mouse.
        yCollab(doc.text, null, { undoManager }),
        Prec.high(keymap.of(yUndoManagerKeymap)),
        remoteCursors(doc, guests),
      ],
      undo: () => void undoManager.undo(),
      redo: () => void undoManager.redo(),
    } satisfies Omit<RoomText, "join">,
    /** The changes by which a text becomes that of the document. */
    changesFrom: (onScreen: Text): ChangeSet => changesBetween(onScreen, doc.lines),
    close: () => undoManager.destroy(),
  };
}
