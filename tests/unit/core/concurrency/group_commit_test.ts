import assert from "node:assert/strict";
import { GroupCommit } from "../../../../lib/server/core/concurrency/group_commit.ts";

/** Commits that a test ends. */
function held(maxItems = 10) {
  const commits: { key: string; items: number[]; ended: PromiseWithResolvers<void> }[] = [];
  const group = new GroupCommit<string, number>((key, items) => {
    const ended = Promise.withResolvers<void>();
    commits.push({ key, items, ended });
    return ended.promise;
  }, maxItems);
  return { commits, group };
}

Deno.test("items that come during a commit share the next one, in their order", async () => {
  const { commits, group } = held();
  const done: number[] = [];
  const added = [1, 2, 3].map((item) => group.add("a", item).then(() => void done.push(item)));
  assert.deepEqual(commits.map(({ items }) => items), [[1]]);
  commits[0]?.ended.resolve();
  await added[0];
  assert.deepEqual(done, [1]);
  assert.deepEqual(commits.map(({ items }) => items), [[1], [2, 3]]);
  commits[1]?.ended.resolve();
  await Promise.all(added);
  assert.deepEqual(done, [1, 2, 3]);
});

Deno.test("a commit takes no more items than it may, and keys wait for no others", async () => {
  const { commits, group } = held(2);
  const added = [1, 2, 3, 4].map((item) => group.add("a", item));
  added.push(group.add("b", 5));
  assert.deepEqual(commits.map(({ key, items }) => [key, ...items]), [["a", 1], ["b", 5]]);
  for (let index = 0; index < 4; index++) {
    commits[index]?.ended.resolve();
    await new Promise((resolve) => setTimeout(resolve));
  }
  await Promise.all(added);
  assert.deepEqual(commits.slice(2).map(({ items }) => items), [[2, 3], [4]]);
});

Deno.test("a commit that fails fails those that share it, and no others", async () => {
  const { commits, group } = held();
  const [first, second, third] = [1, 2, 3].map((item) => group.add("a", item));
  commits[0]?.ended.resolve();
  await first;
  commits[1]?.ended.reject(new Error("full"));
  await assert.rejects(second ?? Promise.resolve(), /full/);
  await assert.rejects(third ?? Promise.resolve(), /full/);
  const last = group.add("a", 4);
  commits[2]?.ended.resolve();
  await last;
});
