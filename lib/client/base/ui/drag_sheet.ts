/** A finger on the grip of a bottom sheet. */
export interface SheetDrag {
  sheet: HTMLElement | null;
  /** The id of the pointer, and its height in the window when it came down, in CSS pixels. */
  pointer: number;
  from: number;
}

/** A sheet that was dragged down by this part of its height closes. */
const CLOSES_AT = 0.3;

/**
 * Moves a bottom sheet, a popover or a dialog, with the finger; let go far enough down it closes,
 * else it comes back.
 */
export function dragSheet({ sheet, pointer, from }: SheetDrag): void {
  if (!sheet?.matches(":popover-open, [open]")) return;
  const holding = new AbortController();
  const { signal } = holding;
  let depth = 0;
  const end = (closes: boolean) => {
    holding.abort();
    sheet.style.removeProperty("translate");
    sheet.style.removeProperty("transition");
    if (!closes) return;
    if (sheet instanceof HTMLDialogElement) sheet.close();
    else sheet.hidePopover();
  };
  const listen = (type: "pointermove" | "pointerup" | "pointercancel", act: (y: number) => void) =>
    addEventListener(type, (event) => {
      if (event.pointerId === pointer) act(event.clientY);
    }, { signal });
  sheet.style.transition = "none";
  listen("pointermove", (y) => {
    depth = Math.max(0, y - from);
    sheet.style.translate = `0 ${depth}px`;
  });
  listen("pointerup", () => end(depth > sheet.offsetHeight * CLOSES_AT));
  listen("pointercancel", () => end(false));
}
