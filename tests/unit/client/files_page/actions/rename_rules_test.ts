import assert from "node:assert/strict";
import fc from "fast-check";
import {
  faultsOf,
  newNames,
  type RenamedEntry,
  type RenameRules,
  type Renaming,
  stepsOf,
} from "../../../../../lib/client/files_page/actions/rename_rules.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";

const at = (path: string) => parsePath(path).path;
const entriesOf = (...paths: string[]): RenamedEntry[] =>
  paths.map((path) => {
    return { path: at(path), isDir: path.endsWith("/"), modified: "2026-10-05T12:00:00Z" };
  });

function named(change: Partial<RenameRules>, ...paths: string[]): string[] {
  const rules: RenameRules = {
    ...{ pattern: "{name}", find: "", replacement: "", letters: "keep", first: "1" },
    ...change,
  };
  return newNames(entriesOf(...paths), rules);
}

Deno.test("names that can't be given are told apart: invalid, twice, taken", () => {
  const entries = entriesOf("/f/a.txt", "/f/b.txt", "/f/c.txt", "/f/d.txt", "/g/a.txt");
  const isTaken = (path: string) => ["/f/b.txt", "/f/e.txt"].includes(path);
  const faults = (...names: string[]) => faultsOf(entries, names, isTaken);
  assert.deepEqual(faults("", "..", "x/y", "ü".repeat(128), "a\0"), [
    ...["empty", "dots", "slash", "long", "control"],
  ]);
  assert.deepEqual(faults("x", "x", "e.txt", "d.txt", "x"), [
    ...["twice", "twice", "taken", null, null],
  ]);
  assert.deepEqual(faults("b.txt", "a.txt", "c.txt", "d.txt", "b.txt"), [
    ...[null, null, null, null, null],
  ]);
});

Deno.test("a pattern puts names, numbers and dates together; extensions stay", () => {
  const day = (() => {
    const time = new Date("2026-10-05T12:00:00Z");
    return `2026-10-0${time.getDate()}`;
  })();
  const paths = ["/f/a.tar.gz", "/f/.env", "/f/v1.2/"];
  assert.deepEqual(named({}, ...paths), ["a.tar.gz", ".env", "v1.2"]);
  assert.deepEqual(named({ pattern: "Trip {number} {name}", first: "009" }, ...paths), [
    ...["Trip 009 a.tar.gz", "Trip 010 .env", "Trip 011 v1.2"],
  ]);
  assert.deepEqual(named({ pattern: "{date}_{date}{x}" }, "/f/a.txt"), [`${day}_${day}{x}.txt`]);
  assert.deepEqual(named({ pattern: " {name} " }, "/f/a"), ["a"]);
});

Deno.test("what is found in names is replaced literally, and letters are written as asked", () => {
  const paths = ["/f/IMG (1) $&.JPG", "/f/straße ünder.txt"];
  assert.deepEqual(named({ find: "(1) $&", replacement: "$& {number}" }, ...paths), [
    ...["IMG $& {number}.JPG", "straße ünder.txt"],
  ]);
  assert.deepEqual(named({ letters: "upper" }, ...paths), ["IMG (1) $&.JPG", "STRASSE ÜNDER.txt"]);
  assert.deepEqual(named({ letters: "lower" }, ...paths), ["img (1) $&.JPG", "straße ünder.txt"]);
  assert.deepEqual(named({ letters: "title" }, ...paths), ["Img (1) $&.JPG", "Straße Ünder.txt"]);
});

Deno.test("steps never meet a name that is still there, and end as asked", () => {
  const some = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 });
  fc.assert(fc.property(some, some, (before, after) => {
    const count = Math.min(before.length, after.length);
    const wanted: Renaming[] = before.slice(0, count).map((from, index) => {
      return { from: at(`/f/${from}`), to: at(`/f/${after[index]}`) };
    });
    const sources = new Set<string>(wanted.map(({ from }) => from));
    const there = new Map<string, string>(wanted.map(({ from }) => [from, from]));
    let waiting = 0;
    for (const { from, to } of stepsOf(wanted, () => `waiting ${waiting++}`)) {
      const content = there.get(from);
      assert.ok(content !== undefined, "it is there");
      assert.ok(!there.has(to), "its name is free");
      there.delete(from);
      there.set(to, content);
    }
    assert.deepEqual(
      [...there].toSorted(),
      wanted.map(({ from, to }): [string, string] => [to, from]).toSorted(),
    );
    assert.equal(sources.size, there.size);
  }));
});
