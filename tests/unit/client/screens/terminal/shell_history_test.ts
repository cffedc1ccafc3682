import assert from "node:assert/strict";
import { MOST_ENTRIES, ShellHistory } from "../../../../../lib/client/screens/terminal/shell.ts";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";

function historyOf(...lines: string[]): ShellHistory {
  const history = new ShellHistory(memoryStorage(), 1);
  for (const line of lines) history.add(line);
  return history;
}

Deno.test("Up goes back through what was typed, Down returns to what was being typed", () => {
  const history = historyOf("ls", "git status");
  assert.equal(history.back("ca"), "git status");
  assert.equal(history.back("git status"), "ls");
  assert.equal(history.back("ls"), null);
  assert.equal(history.forward(), "git status");
  assert.equal(history.forward(), "ca");
  assert.equal(history.forward(), null);
});

Deno.test("blank lines and a line typed twice are not remembered again", () => {
  const history = historyOf("ls", "ls", "", "x".repeat(10_000));
  assert.equal(history.back(""), "ls");
  assert.equal(history.back(""), null);
});

Deno.test("it is there after a reload, for the same user alone", () => {
  const storage = memoryStorage();
  new ShellHistory(storage, 1).add("make");
  assert.equal(new ShellHistory(storage, 1).back(""), "make");
  assert.equal(new ShellHistory(storage, 2).back(""), null);
});

Deno.test("what another tab has remembered meanwhile stays", () => {
  const storage = memoryStorage();
  const [one, other] = [new ShellHistory(storage, 1), new ShellHistory(storage, 1)];
  one.add("first");
  other.add("second");
  const later = new ShellHistory(storage, 1);
  assert.equal(later.back(""), "second");
  assert.equal(later.back(""), "first");
});

Deno.test("only so many lines are kept, and a storage that is broken or full is borne", () => {
  const lines = Array.from({ length: MOST_ENTRIES + 50 }, (_, index) => `echo ${index}`);
  const history = historyOf(...lines);
  let count = 0;
  while (history.back("") !== null) count++;
  assert.equal(count, MOST_ENTRIES);

  for (const stored of ["not json", '{"a":1}', "[1,null]"]) {
    const broken = new ShellHistory({ getItem: () => stored, setItem: () => {} }, 1);
    assert.equal(broken.back(""), null, stored);
  }
  const full = new ShellHistory({
    getItem: () => null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  }, 1);
  full.add("ls");
  assert.equal(full.back(""), "ls");
});
