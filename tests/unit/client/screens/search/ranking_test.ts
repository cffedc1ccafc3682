import assert from "node:assert/strict";
import { BestHits, MOST_HITS } from "../../../../../lib/client/screens/search/hits.ts";
import {
  comparing,
  rankerOf,
  SEARCH_ORDERS,
} from "../../../../../lib/client/screens/search/ranking.ts";
import { type SearchHit, termsOf } from "../../../../../lib/client/screens/search/search_query.ts";
import { fc } from "../../../../support/run/property.ts";

const fit = (name: string, text: string) =>
  rankerOf(termsOf(text))({ path: `folder/${name}`, dir: false }).fit;

const hit = (path: string, facts: Partial<SearchHit> = {}): SearchHit => {
  return { path, dir: false, size: 0, modified: "2026-01-01T00:00:00.000Z", ...facts };
};

Deno.test("a name that is the words fits best, with its extension or without", () => {
  for (const name of ["Report.pdf", "report", "REPORT.tar"]) assert.equal(fit(name, "report"), 0);
  assert.equal(fit("summer trip.jpg", "summer trip"), 0);
  assert.equal(fit("trip summer.jpg", "summer trip"), 1);
  assert.equal(fit(".env", "env"), 2);
  assert.equal(fit("Straße.txt", "STRASSE"), 0);
});

Deno.test("names that have the words as they were typed come before those with other accents", () => {
  const order = (text: string, ...names: string[]) =>
    names.map((name) => rankerOf(termsOf(text))(hit(name))).sort(comparing("relevance"))
      .map(({ path }) => path);
  assert.deepEqual(order("cafe", "Café", "decaffeinated cafes", "cafe.txt", "CAFÉ bar"), [
    ...["cafe.txt", "decaffeinated cafes", "Café", "CAFÉ bar"],
  ]);
  assert.deepEqual(order("café", "cafe", "my CAFE\u0301"), ["my CAFE\u0301", "cafe"]);
  assert.deepEqual(order("abc", "ＡＢＣ", "xabc"), ["xabc", "ＡＢＣ"]);
  assert.deepEqual(order("\u0301", "e\u0301"), ["e\u0301"]);
});

Deno.test("a beginning fits better than a word within, and that better than a part of one", () => {
  assert.equal(fit("reports.zip", "report"), 1);
  assert.equal(fit("annual-report.txt", "report"), 2);
  assert.equal(fit("IMG4004.jpg", "4004"), 2);
  assert.equal(fit("IMG14004.jpg", "4004"), 3);
  assert.equal(fit("myreport and report", "report"), 2);
  assert.equal(fit("report unread", "report read"), 3);
  assert.equal(fit("Report", "case:sensitive report"), 3);
});

Deno.test("results that fit alike are folders first, then the latest, then by name", () => {
  const order = (order: Parameters<typeof comparing>[0], hits: SearchHit[]) =>
    hits.map(rankerOf(termsOf("sea"))).sort(comparing(order)).map(({ path }) => path);
  const hits = [
    hit("sea10", { size: 5 }),
    hit("sea9", { size: 7 }),
    hit("my sea", { dir: true }),
    hit("deep/sea8", { modified: "2026-01-02T00:00:00.000Z" }),
    hit("sea7", { dir: true, size: 4_096 }),
  ];
  assert.deepEqual(order("relevance", hits), ["sea7", "deep/sea8", "sea9", "sea10", "my sea"]);
  assert.deepEqual(order("name", hits), ["my sea", "sea7", "deep/sea8", "sea9", "sea10"]);
  assert.deepEqual(order("size", hits), ["sea9", "sea10", "deep/sea8", "my sea", "sea7"]);
  assert.deepEqual(order("modified", hits), ["deep/sea8", "my sea", "sea7", "sea9", "sea10"]);
});

Deno.test("what was found by its content comes last, in the order of the server", () => {
  const hits = [
    hit("z", { snippet: ["", "sea", ""], size: 9 }),
    hit("sea", { modified: "2020-01-01T00:00:00.000Z" }),
    hit("a", { snippet: ["", "sea", ""], size: 10 }),
    hit("oversea"),
  ];
  const inOrder = (order: Parameters<typeof comparing>[0]) =>
    hits.map((hit) => ({ ...hit })).map(rankerOf(termsOf("sea"))).sort(comparing(order))
      .map(({ path }) => path);
  assert.deepEqual(inOrder("relevance"), ["sea", "oversea", "z", "a"]);
  assert.deepEqual(inOrder("name"), ["oversea", "sea", "a", "z"]);
  assert.deepEqual(inOrder("size").slice(2), ["a", "z"]);
});

Deno.test("the best of many are those that all of them in order begin with", () => {
  const hits = fc.array(
    fc.record({ name: fc.constantFrom("a", "sea", "my sea", "oversea"), age: fc.nat(99) }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(hits, fc.constantFrom(...SEARCH_ORDERS), (drawn, order) => {
      const all = Array.from({ length: MOST_HITS + 1_500 }, (_, index) => {
        const { name = "b", age = 0 } = drawn[index % (drawn.length + 1)] ?? {};
        const modified = new Date(age * 1_000 + index).toISOString();
        return hit(`${(index * 7_919) % 100_003}/${name}`, { modified });
      });
      const best = new BestHits(termsOf("sea"), order);
      for (const one of all) best.add(one);
      const expected = all.map(rankerOf(termsOf("sea"))).sort(comparing(order))
        .slice(0, MOST_HITS);
      assert.equal(best.count, all.length);
      assert.deepEqual(best.best().map(({ path }) => path), expected.map(({ path }) => path));
    }),
    { numRuns: 12 },
  );
});
