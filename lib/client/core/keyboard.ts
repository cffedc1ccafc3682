import type { Step } from "../selection/cursor.ts";

/** What a press of keys asks for. */
export type Shortcut =
  | { does: ListDeed | PageDeed }
  | { does: "step"; step: Step; extend: boolean }
  | { does: "type"; character: string };

/** What keys do with the rows of a listing. */
export type ListDeed = "delete" | "escape" | "open" | "toggle";

/** What keys do with the page, whatever it shows. */
export type PageDeed =
  | "help"
  | "search"
  | "rename"
  | "selectAll"
  | "download"
  | "shell"
  | "up";

/** The part of a `KeyboardEvent` that decides. */
export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing" | "target"
>;

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

/** Keys that mean something by themselves. */
const PLAIN: Record<string, ListDeed | PageDeed> = {
  F1: "help",
  F2: "rename",
  Escape: "escape",
  Delete: "delete",
  Backspace: "up",
};

/** Letters with Ctrl, or Command on a Mac. Copying, cutting and pasting are events of their own. */
const WITH_CONTROL: Record<string, ListDeed | PageDeed> = {
  a: "selectAll",
  f: "search",
  s: "download",
};

/** Where people type, and dialogs, which have keys of their own. */
const TYPING = "input:not([type=checkbox],[type=radio],[type=button],[type=submit]), textarea, " +
  "select, [contenteditable]:not([contenteditable=false]), dialog[open], [popover], [role=menu], " +
  "[data-own-keys]";

/** What Enter and Space press when it has the focus. */
const PRESSABLE = "a[href], button, summary, input, [role=button]";

/**
 * What a press of keys asks for in the files area; null when it is none of ours: while typing into
 * a field, inside a dialog, or with keys that belong to the browser.
 */
export function shortcutOf(press: KeyPress): Shortcut | null {
  if (press.isComposing || isWithin(press.target, TYPING)) return null;
  if (press.altKey) return withAlt(press);
  if (press.ctrlKey || press.metaKey) return withControl(press);
  const { key, shiftKey } = press;
  const step = STEPS[key];
  if (step) return { does: "step", step, extend: shiftKey };
  const deed = shiftKey ? undefined : PLAIN[key];
  if (deed) return { does: deed };
  if (key === "Enter" || key === " ") {
    if (isWithin(press.target, PRESSABLE)) return null;
    return { does: key === " " ? "toggle" : "open" };
  }
  return [...key].length === 1 ? { does: "type", character: key } : null;
}

function withAlt({ key, ctrlKey, metaKey, shiftKey }: KeyPress): Shortcut | null {
  // AltGr arrives as Ctrl and Alt together: it writes characters.
  if (ctrlKey || metaKey || shiftKey) return null;
  return key === "ArrowUp" ? { does: "up" } : null;
}

function withControl(press: KeyPress): Shortcut | null {
  if (press.shiftKey) return null;
  const deed = WITH_CONTROL[letterOf(press)];
  if (deed) return { does: deed };
  // As in editors: the key under Escape, whatever is written on it.
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
