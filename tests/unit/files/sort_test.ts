import assert from "node:assert/strict";
import { compareNames, nameKey } from "../../../lib/shared/natural_order.ts";
import { sortByName, sortEntries } from "../../../lib/server/files/listing/sort.ts";
import { character, fc } from "../../support/run/property.ts";

interface Item {
  name: string;
  isFolder: boolean;
  size: number;
}

const file = (name: string, size = 0): Item => ({ name, isFolder: false, size });
const folder = (name: string, size = 0): Item => ({ name, isFolder: true, size });
const sizeOf = ({ size }: Item) => size;
const byName = (...names: string[]) =>
  sortEntries(sortByName(names.map((name) => file(name))), { by: "name", asc: true }, sizeOf)
    .map(({ name }) => name);

Deno.test("names sort as people read them", () => {
  const sorted = [
    ...[" space", "-dash", "1", "02", "2", "10", "100", "_x", "a", "A", "a-1", "a1b", "a2", "a10"],
    ...["e", "é", "f", "File 9.txt", "File 10.txt", "o", "Ö", "ss", "ß", "z", "日本"],
  ];
  assert.deepEqual(byName(...sorted.toReversed()), [
    ...[" space", "-dash", "1", "02", "2", "10", "100", "_x", "A", "a", "a-1", "a1b", "a2", "a10"],
    ...["e", "é", "f", "File 9.txt", "File 10.txt", "o", "Ö", "ss", "ß", "z", "日本"],
  ]);
});

Deno.test("numbers of any length compare as numbers", () => {
  const number = fc.bigInt({ min: 0n, max: 10n ** 40n });
  fc.assert(fc.property(number, number, (a, b) => {
    const [keyA, keyB] = [nameKey(`x${a}.txt`), nameKey(`x${b}.txt`)];
    assert.equal(keyA < keyB, a < b);
    assert.equal(keyA === keyB, a === b);
  }));
});

Deno.test("the order is total: no two names are alike, and it does not depend on the input", () => {
  const name = fc.oneof(
    fc.string({ unit: character, minLength: 1, maxLength: 12 }),
    fc.array(fc.constantFrom("a", "A", "é", "e\u0301", "0", "00", "1", "10", "-", "ß"), {
      minLength: 1,
      maxLength: 5,
    }).map((parts) => parts.join("")),
  );
  fc.assert(fc.property(fc.uniqueArray(name, { maxLength: 30 }), (names) => {
    assert.deepEqual(byName(...names), byName(...names.toReversed()));
  }));
  fc.assert(fc.property(name, name, (a, b) => {
    assert.equal(Math.sign(compareNames(a, b)), -Math.sign(compareNames(b, a)) || 0);
    assert.equal(compareNames(a, b) === 0, a === b);
  }));
});

Deno.test("many names sort as their keys do, however much of them is alike", () => {
  const part = fc.constantFrom(
    ...["a", "A", "é", "e\u0301", "ß", "0", "00", "7", "12345", " ", "-", "\x01", "\x7f"],
    ...["\u0080", "\u07ff", "日本", "\uef80", "\uffee", "😀", "same for many of them "],
  );
  const name = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
  const inOrder = (a: string, b: string) => {
    const [keyA, keyB] = [nameKey(a), nameKey(b)];
    return keyA === keyB ? compareNames(a, b) : keyA < keyB ? -1 : 1;
  };
  fc.assert(fc.property(fc.uniqueArray(name, { minLength: 100, maxLength: 400 }), (names) => {
    assert.deepEqual(byName(...names), names.toSorted(inOrder));
  }));
  const alike = Array.from({ length: 2_000 }, (_, number) => "0".repeat(number % 200) + number);
  const deep = Array.from({ length: 250 }, (_, length) => "x".repeat(length + 1));
  const names = [...new Set([...alike, ...deep])];
  assert.deepEqual(byName(...names), names.toSorted(inOrder));
});

Deno.test("many entries sort by size in either direction, and those alike from A to Z", () => {
  const many = Array.from({ length: 30_000 }, (_, at) => file(`${at}`, (at * 7919) % 1_000));
  const groups = sortByName([...many, folder("z", 9), folder("y", 1)]);
  for (const asc of [true, false]) {
    const sign = asc ? 1 : -1;
    const expected = groups.files.toSorted((a, b) => sign * (sizeOf(a) - sizeOf(b)));
    const sorted = sortEntries(groups, { by: "size", asc }, sizeOf);
    assert.deepEqual(sorted.slice(0, 2).map(({ name }) => name), asc ? ["y", "z"] : ["z", "y"]);
    assert.ok(sorted.slice(2).every((entry, at) => entry === expected[at]));
    assert.equal(sorted.length, 30_002);
  }
});

Deno.test("folders come first in every order, and entries alike go from A to Z", () => {
  const groups = sortByName([
    ...[file("b", 1), file("c", 1), file("a", 2), folder("z", 9), folder("y", 1)],
  ]);
  const names = (by: "name" | "size", asc: boolean) =>
    sortEntries(groups, { by, asc }, sizeOf).map(({ name }) => name).join("");
  assert.equal(names("name", true), "yzabc");
  assert.equal(names("name", false), "zycba");
  assert.equal(names("size", true), "yzbca");
  assert.equal(names("size", false), "zyabc");
});
