import assert from "node:assert/strict";
import { type KeyPress, shortcutOf } from "../../../../../lib/client/base/core/keyboard.ts";

/** A press of a key, on an element that lies within one that matches `within`. */
function press(key: string, how: Partial<KeyPress> & { within?: string } = {}): KeyPress {
  const { within, ...held } = how;
  const closest = (selectors: string) =>
    within && selectors.split(", ").some((selector) => selector.startsWith(within)) ? {} : null;
  return {
    key,
    code: "",
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    isComposing: false,
    target: { closest } as unknown as EventTarget,
    ...held,
  };
}

Deno.test("shortcutOf() leaves the keys of fields and dialogs alone", () => {
  for (const within of ["input", "textarea", "select", "[contenteditable]", "dialog"]) {
    assert.equal(shortcutOf(press("Delete", { within })), null, within);
    assert.equal(shortcutOf(press("a", { within, ctrlKey: true })), null, within);
  }
});

Deno.test("shortcutOf() ignores keys that compose a character", () => {
  assert.equal(shortcutOf(press("Delete", { isComposing: true })), null);
});

Deno.test("shortcutOf() leaves Enter and Space to buttons and links", () => {
  for (const within of ["button", "a[href]"]) {
    assert.equal(shortcutOf(press("Enter", { within })), null);
    assert.equal(shortcutOf(press(" ", { within })), null);
    assert.deepEqual(shortcutOf(press("Delete", { within })), { does: "delete" });
  }
});

Deno.test("shortcutOf() leaves the browser its own combinations", () => {
  for (const key of ["r", "t", "w", "n", "Delete", "ArrowLeft", "ArrowUp", "Backspace"]) {
    assert.equal(shortcutOf(press(key, { ctrlKey: true })), null, key);
  }
  assert.equal(shortcutOf(press("A", { ctrlKey: true, shiftKey: true })), null);
  assert.equal(shortcutOf(press("ArrowLeft", { altKey: true })), null);
  assert.equal(shortcutOf(press("n", { ctrlKey: true, shiftKey: true })), null);
  assert.equal(shortcutOf(press("Backspace", { shiftKey: true })), null);
  assert.equal(shortcutOf(press("F5")), null);
});

Deno.test("shortcutOf() knows the shortcuts of the files area", () => {
  assert.deepEqual(shortcutOf(press("Delete")), { does: "delete" });
  assert.deepEqual(shortcutOf(press("Delete", { shiftKey: true })), { does: "deleteForGood" });
  assert.deepEqual(shortcutOf(press("Backspace", { metaKey: true })), { does: "delete" });
  assert.deepEqual(shortcutOf(press("Escape")), { does: "escape" });
  assert.deepEqual(shortcutOf(press("Enter")), { does: "open" });
  assert.deepEqual(shortcutOf(press(" ")), { does: "toggle" });
  assert.deepEqual(shortcutOf(press("a", { ctrlKey: true })), { does: "selectAll" });
  assert.deepEqual(shortcutOf(press("a", { metaKey: true })), { does: "selectAll" });
});

Deno.test("shortcutOf() knows the shortcuts of the page", () => {
  const presses = { F1: "help", F2: "rename", Backspace: "up" };
  for (const [key, does] of Object.entries(presses)) {
    assert.deepEqual(shortcutOf(press(key)), { does }, key);
    for (const within of ["input", "textarea", "[contenteditable]", "dialog", "[popover]"]) {
      assert.equal(shortcutOf(press(key, { within })), null, `${key} in ${within}`);
    }
  }
  const letters = { f: "search", s: "download" };
  for (const [key, does] of Object.entries(letters)) {
    assert.deepEqual(shortcutOf(press(key, { ctrlKey: true })), { does }, key);
    assert.deepEqual(shortcutOf(press(key, { metaKey: true })), { does }, key);
    assert.deepEqual(shortcutOf(press(key)), { does: "type", character: key });
    assert.equal(shortcutOf(press(key, { ctrlKey: true, within: "input" })), null);
  }
  assert.deepEqual(shortcutOf(press("ArrowUp", { altKey: true })), { does: "up" });
  for (const key of ["`", "^", "ё"]) {
    const pressed = press(key, { code: "Backquote", ctrlKey: true });
    assert.deepEqual(shortcutOf(pressed), { does: "shell" }, key);
    assert.equal(shortcutOf({ ...pressed, ctrlKey: false, metaKey: true }), null, key);
  }
  assert.equal(shortcutOf(press("Delete", { within: "[data-own-keys]" })), null);
  assert.deepEqual(shortcutOf(press("ArrowUp", { metaKey: true })), { does: "up" });
});

Deno.test("shortcutOf() takes no character that AltGr writes", () => {
  for (const key of ["c", "ć", "ArrowUp"]) {
    assert.equal(shortcutOf(press(key, { ctrlKey: true, altKey: true })), null, key);
  }
});

Deno.test("shortcutOf() goes by the place of a key on layouts without Latin letters", () => {
  assert.deepEqual(shortcutOf(press("ф", { code: "KeyA", ctrlKey: true })), { does: "selectAll" });
  assert.deepEqual(shortcutOf(press("ش", { code: "KeyA", ctrlKey: true })), { does: "selectAll" });
  assert.deepEqual(shortcutOf(press("ы", { code: "KeyS", ctrlKey: true })), { does: "download" });
  assert.deepEqual(shortcutOf(press("φ", { code: "KeyF", metaKey: true })), { does: "search" });
  assert.deepEqual(shortcutOf(press("כ", { code: "KeyF", ctrlKey: true })), { does: "search" });
});

Deno.test("shortcutOf() goes by the letter on Latin layouts that place it elsewhere", () => {
  assert.deepEqual(shortcutOf(press("a", { code: "KeyQ", ctrlKey: true })), { does: "selectAll" });
  assert.equal(shortcutOf(press("q", { code: "KeyA", ctrlKey: true })), null);
});

Deno.test("shortcutOf() turns arrows into steps, with Shift into ranges", () => {
  assert.deepEqual(shortcutOf(press("ArrowDown")), { does: "step", step: "down", extend: false });
  const extended = shortcutOf(press("PageUp", { shiftKey: true }));
  assert.deepEqual(extended, { does: "step", step: "pageUp", extend: true });
});

Deno.test("shortcutOf() takes any written character as the search for a name", () => {
  assert.deepEqual(shortcutOf(press("s")), { does: "type", character: "s" });
  assert.deepEqual(shortcutOf(press("日")), { does: "type", character: "日" });
  assert.equal(shortcutOf(press("Dead")), null);
});
