import assert from "node:assert/strict";
import { ViewModes } from "../../../lib/client/view_modes.ts";
import { ada } from "./support.ts";

function keeping(stored = new Map<string, string>()) {
  return () => ({
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
}

function forbidden(): never {
  throw new DOMException("Access is denied", "SecurityError");
}

Deno.test("ViewModes begins as the account says, until it is told to go back to the last choice", () => {
  const stored = new Map<string, string>();
  new ViewModes({ user: ada, storage: keeping(stored) }).choose("mosaic");
  const again = new ViewModes({ user: ada, storage: keeping(stored) });
  assert.equal(again.mode.value, "list");
  again.restore();
  assert.equal(again.mode.value, "mosaic");
});

Deno.test("ViewModes keeps each user's choice apart", () => {
  const stored = new Map<string, string>();
  new ViewModes({ user: ada, storage: keeping(stored) }).choose("mosaic");
  const other = new ViewModes({
    user: { id: 3, viewMode: "mosaic gallery" },
    storage: keeping(stored),
  });
  other.restore();
  assert.equal(other.mode.value, "mosaic gallery");
});

Deno.test("ViewModes goes through all of them and begins again", () => {
  const view = new ViewModes({ user: ada, storage: keeping() });
  const seen = [1, 2, 3].map(() => {
    view.choose(view.next);
    return view.mode.value;
  });
  assert.deepEqual(seen, ["mosaic", "mosaic gallery", "list"]);
});

Deno.test("ViewModes does without a storage that is forbidden, full, or holds nonsense", () => {
  const view = new ViewModes({ user: ada, storage: forbidden });
  view.restore();
  view.choose("mosaic");
  assert.equal(view.mode.value, "mosaic");

  const nonsense = new Map([["cubby-view-2", "<script>"]]);
  const other = new ViewModes({ user: ada, storage: keeping(nonsense) });
  other.restore();
  assert.equal(other.mode.value, "list");
});
