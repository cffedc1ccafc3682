import { type RefObject, useRef } from "react";

/** What a dialog has to hear of. */
interface PressHandlers {
  onPointerDown: (event: { target: EventTarget | null }) => void;
  onClick: (event: { target: EventTarget | null }) => void;
}

/**
 * Lets a press beside a modal dialog close it: at the end of the press, so that what lies below has
 * no part in it, and not where a selection of text ends that began inside.
 */
export function usePressBeside(
  dialog: RefObject<HTMLDialogElement | null>,
  close: () => void,
): PressHandlers {
  const began = useRef(false);
  return {
    onPointerDown({ target }) {
      began.current = target === dialog.current;
    },
    onClick({ target }) {
      if (began.current && target === dialog.current) close();
    },
  };
}
