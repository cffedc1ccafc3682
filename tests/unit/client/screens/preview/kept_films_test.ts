import assert from "node:assert/strict";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { keepPlace, readPlace } from "../../../../../lib/client/screens/preview/film/kept_films.ts";

Deno.test("a film goes on where one was, or a bit before if that is sooner there", () => {
  const storage = memoryStorage();
  keepPlace(storage, "film", { at: 308.04, duration: 600 });
  assert.equal(readPlace(storage, "film"), 308);
  keepPlace(storage, "film", { at: 308, duration: 600, from: 301.1 });
  assert.equal(readPlace(storage, "film"), 301.1);
  assert.equal(readPlace(storage, "another"), 0);
});

Deno.test("what an earlier version kept is read, and what is none is not", () => {
  const storage = memoryStorage();
  storage.setItem("film places", JSON.stringify([["old", 12.5], ["odd", 3, "x"], ["new", 9, 4]]));
  assert.equal(readPlace(storage, "old"), 12.5);
  assert.equal(readPlace(storage, "odd"), 0);
  assert.equal(readPlace(storage, "new"), 4);
});
