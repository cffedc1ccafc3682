import assert from "node:assert/strict";
import { SEARCH_ORDERS } from "../../../../../lib/client/screens/search/ranking.ts";
import {
  addressOf,
  askedBy,
  NOT_ASKED,
  SEARCH_AGES,
  SEARCH_SIZES,
  SEARCH_TYPES,
} from "../../../../../lib/client/screens/search/search_query.ts";
import { fc } from "../../../../support/run/property.ts";

Deno.test("an address without a search asks for nothing, and what is unknown in one is left out", () => {
  assert.equal(askedBy(""), null);
  assert.equal(askedBy("?type=image"), null);
  const odd = "?search=sea&type=image,toString&age=2026..&size=%3E1kb&order=random&in=there";
  assert.deepEqual(askedBy(odd), {
    ...NOT_ASKED,
    text: "sea",
    filter: { ...NOT_ASKED.filter, types: new Set(["image"]) },
  });
});

Deno.test("any search is read back from its address", () => {
  const asked = fc.record({
    text: fc.string({ unit: "grapheme", maxLength: 50 }).map((text) => text.trim()),
    filter: fc.record({
      types: fc.subarray([...SEARCH_TYPES]).map((types) => new Set(types)),
      age: fc.constantFrom(
        ...SEARCH_AGES,
        "2026-01-31..",
        "..2026-01-31",
        "..",
        "2025-01-01..2026-01-31",
      ),
      size: fc.constantFrom(...SEARCH_SIZES.map(([size]) => size)),
    }, { noNullPrototype: true }),
    order: fc.constantFrom(...SEARCH_ORDERS),
    hereOnly: fc.boolean(),
    contents: fc.boolean(),
    photos: fc.boolean(),
  }, { noNullPrototype: true });
  fc.assert(fc.property(asked, (asked) => {
    assert.deepEqual(askedBy(addressOf(asked)), asked);
  }));
});
