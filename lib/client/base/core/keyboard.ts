/** A navigation key in the listing. */
export type Step = "up" | "down" | "left" | "right" | "home" | "end" | "pageUp" | "pageDown";

/** The meaning of a key press. */
export type Shortcut =
  | { does: ListAction | PageAction }
  | { does: "step"; step: Step; extend: boolean }
  | { does: "type"; character: string };

/** Actions of keys on the rows of a listing. */
export type ListAction = "delete" | "deleteForGood" | "escape" | "open" | "toggle";

/** Actions of keys on the whole page. */
export type PageAction =
  | "help"
  | "details"
  | "search"
  | "rename"
  | "selectAll"
  | "undo"
  | "download"
  | "shell"
  | "up";

/** The part of a `KeyboardEvent` that decides. */
export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing" | "target"
>;

/** The key that shows and hides the details; in a listing unless a name is typed. */
export const DETAILS = "i";

const STEPS: Record<string, Step> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "home",
  End: "end",
  PageUp: "pageUp",
  PageDown: "pageDown",
};

/** Keys without modifiers. */
const PLAIN: Record<string, ListAction | PageAction> = {
  F1: "help",
  F2: "rename",
  Escape: "escape",
  Delete: "delete",
  Backspace: "up",
};

/** Letters with Ctrl, or Command on a Mac. Copying, cutting and pasting are events of their own. */
const WITH_CONTROL: Record<string, ListAction | PageAction> = {
  a: "selectAll",
  f: "search",
  s: "download",
  z: "undo",
};

/** Text fields, and elements with keys of their own, such as dialogs. */
const TYPING = "input:not([type=checkbox],[type=radio],[type=button],[type=submit]), textarea, " +
  "select, [contenteditable]:not([contenteditable=false]), dialog[open], [popover], [role=menu], " +
  "[data-own-keys]";

/** Elements that Enter and Space activate themselves. */
const PRESSABLE = "a[href], button, summary, input, [role=button]";

/**
 * The shortcut of a key press in the files area; null while typing into a field, inside a dialog,
 * or for keys of the browser.
 */
export function shortcutOf(press: KeyPress): Shortcut | null {
  if (press.isComposing || isWithin(press.target, TYPING)) return null;
  if (press.altKey) return withAlt(press);
  if (press.ctrlKey || press.metaKey) return withControl(press);
  const { key, shiftKey } = press;
  const step = STEPS[key];
  if (step) return { does: "step", step, extend: shiftKey };
  if (key === "Delete" && shiftKey) return { does: "deleteForGood" };
  const action = shiftKey ? undefined : PLAIN[key];
  if (action) return { does: action };
  if (key === "Enter" || key === " ") {
    if (isWithin(press.target, PRESSABLE)) return null;
    return { does: key === " " ? "toggle" : "open" };
  }
  return [...key].length === 1 ? { does: "type", character: key } : null;
}

function withAlt({ key, ctrlKey, metaKey, shiftKey }: KeyPress): Shortcut | null {
  // AltGr is reported as Ctrl and Alt together: it types characters.
  if (ctrlKey || metaKey || shiftKey) return null;
  if (key === "Enter") return { does: "details" };
  return key === "ArrowUp" ? { does: "up" } : null;
}

function withControl(press: KeyPress): Shortcut | null {
  if (press.shiftKey) return null;
  const action = WITH_CONTROL[letterOf(press)];
  if (action) return { does: action };
  // As in editors: the key below Escape, in any layout.
  if (!press.metaKey) return press.code === "Backquote" ? { does: "shell" } : null;
  // A Mac has no Delete key; its file manager takes Command with Backspace, and with an arrow.
  if (press.key === "Backspace") return { does: "delete" };
  return press.key === "ArrowUp" ? { does: "up" } : null;
}

/**
 * The Latin letter of a press: what the key writes, or, on a Cyrillic, Greek, Arabic or other
 * layout, what is printed at its place on a Latin keyboard.
 */
export function letterOf({ key, code }: Pick<KeyPress, "key" | "code">): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const place = /^Key([A-Z])$/.exec(code);
  const writesAscii = key.length === 1 && key <= "\x7f";
  return place?.[1] && !writesAscii ? place[1].toLowerCase() : "";
}

function isWithin(target: EventTarget | null, selector: string): boolean {
  const element = target as Partial<Element> | null;
  return element?.closest?.(selector) != null;
}
