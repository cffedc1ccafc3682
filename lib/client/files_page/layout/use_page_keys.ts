import { useLayoutEffect } from "react";
import { ROOT } from "../../../shared/path.ts";
import { DETAILS, type PageAction, shortcutOf } from "../../base/core/keyboard.ts";
import { unmarkText } from "../../base/files/page_dom.ts";
import { useFileActions, useFiles } from "../../base/files/use_files.ts";
import { useSearchPanel, useShellPanel } from "../../base/core/use_panels.ts";

/** Shortcuts of the files page, wherever the focus is. Other keys are left to the browser. */
export function usePageKeys(): void {
  const { navigation, listing, actions } = useFiles();
  const search = useSearchPanel();
  const shell = useShellPanel();
  const { shell: mayType } = useFileActions();
  // With the first picture of the page: a key that is pressed then must not be lost.
  useLayoutEffect(() => {
    const inFolder = (act: () => unknown) => () => {
      if (listing.resource.peek()?.isDir !== true) return false;
      act();
    };
    const handlers: Partial<Record<PageAction, () => false | void>> = {
      help: () => void actions.help(),
      details: () => actions.toggleInfo(),
      rename: () => void actions.rename(),
      undo: () => actions.undo() ? undefined : false,
      search: () => {
        search.value = true;
      },
      shell: () => {
        if (!mayType) return false;
        shell.open.value = !shell.open.peek();
      },
      up: () => navigation.place.peek().path === ROOT ? false : navigation.up(),
      download: inFolder(() => actions.downloadFolder()),
      // Also in an empty folder: never select the text of the page.
      selectAll: inFolder(() => {
        unmarkText();
        listing.selection.all();
      }),
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog:modal")) return;
      const shortcut = shortcutOf(event);
      // In a listing it may begin a name.
      const isDetails = shortcut?.does === "type" && shortcut.character === DETAILS &&
        !document.getElementById("listing");
      const does = isDetails ? "details" : shortcut?.does;
      const action = handlers[does as PageAction];
      if (action && action() !== false) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [navigation, listing, actions, mayType]);
}
