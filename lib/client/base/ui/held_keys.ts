import { letterOf, type Shortcut, shortcutOf } from "../core/keyboard.ts";

/** Elements that get the keys that are pressed in them. */
const FIELDS = "dialog[open], input, textarea, select, [contenteditable]";

/** Keys that change what other keys write. */
const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"];

/** What a held key does in a field. */
type Edit = (field: HTMLInputElement) => void;

/** What Esc does, for each dialog whose code is loading; the newest is the last. */
const holds: { onEscape?: () => void }[] = [];

/** What the held keys do, in their order. */
let edits: Edit[] = [];
/** A key was pressed whose effect cannot be repeated, so neither can that of later ones. */
let isOver = false;
let listening: AbortController | undefined;

/**
 * Keeps keys from the page while the code of a dialog loads: they are meant for the dialog, and
 * would open or change what lies below it. Fields and the browser get theirs. Text that is typed or
 * pasted, Backspace and Enter are repeated in the field of the dialog, see {@linkcode replayKeys};
 * an arrow, a dead key or a key of an input method ends that.
 *
 * @param onEscape closes the dialog that is not shown yet, whatever was typed before; absent for a
 * dialog that the user has not opened: nothing is repeated in it
 * @returns ends it
 */
export function holdKeys(onEscape?: () => void): () => void {
  const hold = { onEscape };
  if (holds.push(hold) === 1) {
    forgetKeys();
    listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    addEventListener("keydown", holdKey, options);
    for (const type of ["copy", "cut", "paste"] as const) addEventListener(type, holdClip, options);
  }
  return () => {
    const index = holds.indexOf(hold);
    if (index === -1) return;
    holds.splice(index, 1);
    if (holds.length > 0) return;
    listening?.abort();
    replayKeys();
  };
}

/**
 * Repeats the held keys in the text field that has the focus in a dialog; without one drops them.
 * Called when a dialog has been shown, before a further key can reach it.
 */
export async function replayKeys(): Promise<void> {
  const replayed = edits;
  forgetKeys();
  for (const edit of replayed) {
    const field = document.activeElement;
    if (!field?.matches("dialog:modal input:read-write")) return;
    edit(field as HTMLInputElement);
    // Lets the form be rendered with the text; no key is handled in between.
    await Promise.resolve();
  }
}

function forgetKeys(): void {
  edits = [];
  isOver = false;
}

function holdKey(event: KeyboardEvent): void {
  const { key, target } = event;
  const shortcut = shortcutOf(event);
  const isInField = isIn(target, FIELDS);
  const isHeld = key === "Enter" || key === " " ? !isInField : shortcut !== null;
  if (isHeld) hold(event);
  else if (isInField) return;
  if (shortcut?.does === "escape") {
    forgetKeys();
    holds.at(-1)?.onEscape?.();
    return;
  }
  const edit = editOf(event, shortcut);
  if (edit) note(edit);
  else if (!isNothing(event)) isOver = true;
}

function editOf(event: KeyboardEvent, shortcut: Shortcut | null): Edit | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
  if (shortcut?.does === "type") return insert(shortcut.character);
  if (ctrlKey || metaKey || altKey) return null;
  if (key === " ") return insert(" ");
  if (shiftKey) return null;
  if (key === "Backspace") return () => document.execCommand("delete");
  return key === "Enter" && !repeat ? pressEnter : null;
}

/** Whether a key writes nothing by itself: Ctrl+V is an event of its own, a held Enter no second one. */
function isNothing(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, repeat } = event;
  if (MODIFIERS.includes(key) || key === "Enter" && repeat) return true;
  return (ctrlKey || metaKey) && letterOf(event) === "v";
}

function holdClip(event: ClipboardEvent): void {
  if (isIn(event.target, FIELDS)) return;
  hold(event);
  const text = event.type === "paste" ? event.clipboardData?.getData("text/plain") : "";
  if (text) note(insert(text));
}

function hold(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function note(edit: Edit): void {
  if (!isOver && holds.at(-1)?.onEscape) edits.push(edit);
}

/** As typed: it replaces what is selected, respects `maxlength`, and can be undone. */
function insert(text: string): Edit {
  return () => document.execCommand("insertText", false, text);
}

/** As the browser does: a form is submitted by its button, unless that is disabled. */
const pressEnter: Edit = (field) => {
  const key = { key: "Enter", code: "Enter", bubbles: true, cancelable: true };
  if (!field.dispatchEvent(new KeyboardEvent("keydown", key))) return;
  field.form?.querySelector<HTMLButtonElement>("[type=submit]")?.click();
};

function isIn(target: EventTarget | null, selector: string): boolean {
  return (target as Partial<Element> | null)?.closest?.(selector) != null;
}
