/** Transfers on a disk that folds case: two spellings are one entry. */
import assert from "node:assert/strict";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import type { TransferRequest } from "../../../../lib/server/files/transfer/request.ts";
import { runTransfer } from "../../../../lib/server/files/transfer/run_transfer.ts";
import { plant, temporaryFolder, type Tree } from "../../../support/disks/files.ts";
import { foldCase } from "../../../support/disks/folding_disk.ts";
import { assertDeniedLater, at, viewer } from "../../core/access/visitors.ts";
import { assertUntouched, describe } from "../transfers.ts";

type Options = Partial<Pick<TransferRequest, "override" | "rename">>;

// What is known of a folder is kept by its inode, which no other may get in these milliseconds.
const all = await temporaryFolder();
Deno.test.afterAll(async () => await all[Symbol.asyncDispose]());

async function setUp(tree: Tree) {
  const root = Deno.makeTempDirSync({ dir: all.path });
  await plant(root, tree);
  const folded = foldCase(root);
  const transfer = (action: "copy" | "move") => (from: string, to: string, options: Options = {}) =>
    runTransfer(
      new Gate({ root, reserved: [] }).enter(viewer()),
      { action, from: at(from), to: at(to), override: false, rename: false, ...options },
      new AbortController().signal,
    );
  return {
    root,
    copy: transfer("copy"),
    move: transfer("move"),
    tree: () => [...describe(root, false)],
    [Symbol.dispose]: () => folded[Symbol.dispose](),
  };
}

Deno.test("a move to another spelling of its name changes the letters, and nothing else", async () => {
  using s = await setUp({ "a.txt": "a", dir: { x: "x" } });
  for (const options of [{}, { override: true }]) {
    for (
      const [from, to] of [["a.txt", "A.txt"], ["A.txt", "a.txt"], ["dir", "DIR"], ["DIR", "dir"]]
    ) {
      assert.equal(await s.move(`/${from}`, `/${to}`, options), `/${to}`);
      assert.ok(s.tree().some((entry) => entry.startsWith(`${to}`)), s.tree().join());
    }
  }
  assert.deepEqual(s.tree(), ["a.txt 644: a", "dir/ 755", "dir/x 644: x"]);
});

Deno.test("an entry is never taken for another by its spelling, nor replaced by itself", async () => {
  using s = await setUp({ "a.txt": "a", dir: { x: "x", deep: {} } });
  await assertUntouched(s, async () => {
    for (const override of [false, true]) {
      for (const [from, to] of [["/a.txt", "/A.TXT"], ["/dir", "/Dir"]] as const) {
        await assertDeniedLater(s.copy(from, to, { override }), "invalid_path");
        await assertDeniedLater(s.move(from, from, { override }), "invalid_path");
        await assertDeniedLater(s.move(to, to, { override }), "invalid_path");
      }
      await assertDeniedLater(s.move("/dir", "/DIR/deep/dir", { override }), "invalid_path");
      await assertDeniedLater(s.copy("/dir", "/DIR/deep/dir", { override }), "invalid_path");
    }
  });
  assert.equal(await s.copy("/a.txt", "/A.TXT", { rename: true }), "/A(1).TXT");
  assert.deepEqual(s.tree(), [
    "A(1).TXT 644: a",
    "a.txt 644: a",
    "dir/ 755",
    "dir/deep/ 755",
    "dir/x 644: x",
  ]);
});

Deno.test("another entry is replaced under any spelling, also one that is the same file", async () => {
  using s = await setUp({ "a.txt": "new", "b.txt": "twin", to: { "A.TXT": "former" } });
  await assertDeniedLater(s.move("/a.txt", "/to/a.txt"), "exists");
  await s.move("/a.txt", "/TO/a.txt", { override: true });
  Deno.linkSync(`${s.root}/b.txt`, `${s.root}/to/B.TXT`);
  await s.move("/b.txt", "/to/B.txt", { override: true });
  assert.deepEqual(s.tree(), ["to/ 755", "to/A.TXT 644: new", "to/B.TXT 644: twin"]);
});
