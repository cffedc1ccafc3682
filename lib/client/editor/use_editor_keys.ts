import { useEffect } from "react";
import { shortcutOf } from "../core/keyboard.ts";

/** What keys do on the page of a text, when the focus is not in the text itself. */
export interface EditorDeeds {
  save: () => void;
  find: () => void;
  close: () => void;
}

/** Lets keys work the text from everywhere on its page; before the page answers them itself. */
export function useEditorKeys(deeds: EditorDeeds): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (document.querySelector("dialog:modal, [popover]:popover-open")) return;
      const deed = deedOf(event, deeds);
      if (!deed) return;
      event.preventDefault();
      deed();
    };
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [deeds]);
}

function deedOf(event: KeyboardEvent, deeds: EditorDeeds): (() => void) | undefined {
  switch (shortcutOf(event)?.does) {
    case "download":
      return deeds.save;
    case "search":
      return deeds.find;
    case "escape":
      return deeds.close;
  }
}
