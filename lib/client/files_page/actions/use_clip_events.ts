import { useEffect } from "react";
import { readInput } from "../drag/dropped.ts";
import { useFileActions, useFiles } from "../../base/files/use_files.ts";

/** Elements where copy and paste concern text. */
const TEXT = "input:not([type=checkbox]), textarea, select, [contenteditable], dialog, .cm-editor";

/**
 * Handles the browser's own `copy`, `cut` and `paste` events, which work on any keyboard and give
 * access to the system clipboard. Pasted files are uploaded.
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
      const { names } = listing.selection.snapshot();
      if (isText(event) || isMarked() || listing.selection.now.peek().size === 0) return;
      event.preventDefault();
      // Overwrite the clipboard, so that its former content is not pasted instead.
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
