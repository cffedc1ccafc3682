import assert from "node:assert/strict";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { RecentSearches } from "../../../../../lib/client/screens/search/recent_searches.ts";
import { NOT_ASKED } from "../../../../../lib/client/screens/search/search_query.ts";

const asked = (text: string, more = {}) => ({ ...NOT_ASKED, text, ...more });
const texts = (recent: RecentSearches) => recent.list().map(({ text }) => text);

Deno.test("the latest searches are kept, each once, for one user", () => {
  const storage = memoryStorage();
  const recent = new RecentSearches(1, storage);
  for (let count = 1; count <= 12; count++) recent.remember(asked(`word ${count}!`));
  recent.remember(asked("word 7!"));
  assert.deepEqual(texts(recent).slice(0, 3), ["word 7!", "word 12!", "word 11!"]);
  assert.equal(texts(recent).length, 8);
  assert.deepEqual(texts(new RecentSearches(2, storage)), []);
  assert.deepEqual(texts(new RecentSearches(1, storage)), texts(recent));
});

Deno.test("a search that is typed on takes the place of its beginning", () => {
  const recent = new RecentSearches(1, memoryStorage());
  const filter = { ...NOT_ASKED.filter, types: new Set(["image"] as const) };
  recent.remember(asked("hol"));
  recent.remember(asked("holiday"));
  recent.remember(asked("holiday", { filter }));
  recent.remember(asked("sea"));
  assert.deepEqual(texts(recent), ["sea", "holiday", "holiday"]);
  assert.deepEqual(recent.list()[1]?.filter.types, new Set(["image"]));
});

Deno.test("searches are forgotten one by one, or all", () => {
  const recent = new RecentSearches(1, memoryStorage());
  for (const text of ["one", "two", "three"]) recent.remember(asked(text));
  recent.forget(asked("two"));
  assert.deepEqual(texts(recent), ["three", "one"]);
  recent.forget();
  assert.deepEqual(texts(recent), []);
});

Deno.test("what something else has written is no search, and a full storage no failure", () => {
  const storage = memoryStorage();
  for (const text of ["{", "null", "7", '["nothing", 3, null, "?search=sea"]']) {
    storage.setItem("searches.1", text);
    assert.deepEqual(texts(new RecentSearches(1, storage)), text.includes("sea") ? ["sea"] : []);
  }
  const full = new RecentSearches(1, {
    ...storage,
    setItem: () => {
      throw new Error("full");
    },
  });
  full.remember(asked("sky"));
});
