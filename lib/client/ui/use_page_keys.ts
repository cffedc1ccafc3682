import { useEffect } from "react";
import { ROOT } from "../../shared/path.ts";
import { type PageDeed, shortcutOf } from "../core/keyboard.ts";
import { unmarkText } from "../selection/unmark_text.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useSearchPanel } from "../search/use_search_panel.ts";
import { useShellPanel } from "../terminal/use_shell_panel.ts";

/**
 * Lets keys work the files page, wherever on it the focus is and whatever it shows. A press that
 * nothing here answers is left to the browser.
 */
export function usePageKeys(): void {
  const { navigation, listing, actions } = useFiles();
  const search = useSearchPanel();
  const shell = useShellPanel();
  useEffect(() => {
    const inFolder = (act: () => unknown) => () => {
      if (listing.resource.peek()?.isDir !== true) return false;
      act();
    };
    const deeds: Partial<Record<PageDeed, () => false | void>> = {
      help: () => void actions.help(),
      rename: () => void actions.rename(),
      search: () => {
        search.value = true;
      },
      shell: () => {
        if (!shell.allowed) return false;
        shell.open.value = !shell.open.peek();
      },
      up: () => navigation.place.peek().path === ROOT ? false : navigation.up(),
      download: inFolder(() => actions.downloadFolder()),
      // In an empty folder, too: the text of the page is never meant.
      selectAll: inFolder(() => {
        unmarkText();
        listing.selection.all();
      }),
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog:modal")) return;
      const shortcut = shortcutOf(event);
      const deed = shortcut && deeds[shortcut.does as PageDeed];
      if (deed && deed() !== false) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [navigation, listing, actions]);
}
