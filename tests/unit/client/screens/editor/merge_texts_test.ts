import assert from "node:assert/strict";
import { Text } from "@codemirror/state";
import fc from "fast-check";
import {
  changesBetween,
  mergeInto,
} from "../../../../../lib/client/screens/editor/coediting/merge_texts.ts";

const lines = (text: string) => Text.of(text.split("\n"));

function merged(base: string, mine: string, theirs: string): string {
  return mergeInto(lines(base), lines(mine), lines(theirs)).apply(lines(theirs)).toString();
}

Deno.test("changes at different places are all there, whoever has made them", () => {
  const base = "# List\n\n- milk\n- bread\n";
  assert.equal(
    merged(base, "# My list\n\n- milk\n- bread\n- eggs\n", "# List\n\n- oat milk\n- bread\n"),
    "# My list\n\n- oat milk\n- bread\n- eggs\n",
  );
});

Deno.test("what both have changed in the same way is changed once", () => {
  assert.equal(merged("one\n", "one\ntwo\n", "one\ntwo\n"), "one\ntwo\n");
  assert.equal(merged("one\n", "one\ntwo\n", "zero\none\ntwo\n"), "zero\none\ntwo\n");
});

Deno.test("where both have written at one place, the words of both stay", () => {
  const text = merged("one\n", "one mine\n", "one theirs\n");
  assert.ok(text.includes("mine") && text.includes("theirs"), text);
});

const texts = fc.array(fc.constantFrom("a", "b", "c", "d", "", "\u{1f600}"), { maxLength: 12 })
  .map((words) => words.join("\n"));

Deno.test("a text that one side has left alone becomes that of the other side", () => {
  fc.assert(fc.property(texts, texts, (base, other) => {
    assert.equal(merged(base, other, base), other);
    assert.equal(merged(base, base, other), other);
    assert.equal(merged(base, other, other), other);
  }));
});

Deno.test("the changes between two texts make one of the other", () => {
  fc.assert(fc.property(texts, texts, (from, to) => {
    assert.equal(changesBetween(lines(from), lines(to)).apply(lines(from)).toString(), to);
  }));
});
