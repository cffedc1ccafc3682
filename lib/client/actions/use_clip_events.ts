import { useEffect } from "react";
import { readInput } from "../drag/dropped.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useFileActions } from "../menu/use_file_actions.ts";

/** Where copying and pasting is about text. */
const TEXT = "input:not([type=checkbox]), textarea, select, [contenteditable], dialog, .cm-editor";

/**
 * Copies, cuts and pastes entries with the keys, and the menus, of the browser itself: it tells of
 * them on any keyboard, and gives what another program has put on the clipboard. Files that come from
 * there are uploaded.
 */
export function useClipEvents(): void {
  const { listing, actions, uploads } = useFiles();
  const { create } = useFileActions();
  useEffect(() => {
    const isText = (event: Event) =>
      event.defaultPrevented || document.querySelector("dialog:modal") !== null ||
      (event.target instanceof Element && event.target.closest(TEXT) !== null);
    const isMarked = () => document.getSelection()?.isCollapsed === false;
    const clip = (action: "copy" | "move") => (event: ClipboardEvent) => {
      const { names } = listing.selection.parts();
      if (isText(event) || isMarked() || listing.selection.now.peek().size === 0) return;
      event.preventDefault();
      // What lay on the clipboard gives way, so that it is not pasted in the place of these.
      event.clipboardData?.setData("text/plain", names.join("\n"));
      void actions.clip(action);
    };
    const paste = (event: ClipboardEvent) => {
      if (isText(event)) return;
      const files = [...event.clipboardData?.files ?? []];
      if (files.length === 0) return void actions.paste();
      if (!create || listing.resource.peek()?.isDir !== true) return;
      event.preventDefault();
      void uploads.add(listing.path.peek(), readInput(files));
    };
    const leaving = new AbortController();
    const { signal } = leaving;
    document.addEventListener("copy", clip("copy"), { signal });
    document.addEventListener("cut", clip("move"), { signal });
    document.addEventListener("paste", paste, { signal });
    return () => leaving.abort();
  }, [listing, actions, uploads, create]);
}
