import assert from "node:assert/strict";
import { parsePath, ROOT } from "../../../../../lib/shared/path.ts";
import type { Resource } from "../../../../../lib/shared/schemas/entry.ts";
import {
  FolderTree,
  type FolderTreeOptions,
} from "../../../../../lib/client/files_page/actions/destination/folder_tree.ts";
import { fileNamed, folderOf, manyNames, speakTo } from "../../support.ts";

const at = (text: string) => parsePath(text).path;

/** A tree over a server whose folders hold the folders named here, and one file each. */
function planted(folders: Record<string, string[]>, start = "/", options?: FolderTreeOptions) {
  const spoken = speakTo(({ path, query }) => {
    const folder = decodeURI(path.slice("/api/resources".length)) || "/";
    const names = folders[folder];
    if (!names) return new Response(null, { status: 403 });
    return Response.json(foldersOf(names, query, folder));
  });
  return Object.assign(spoken, { tree: new FolderTree(spoken.api, at(start), options) });
}

function foldersOf(names: string[], query: URLSearchParams, folder: string): Resource {
  const listed = folderOf(names, query, folder);
  const dirs = (listed.items ?? []).map((item) => ({ ...item, isDir: true }));
  return {
    ...listed,
    numDirs: names.length,
    numFiles: 1,
    items: [...dirs, fileNamed("file.txt", folder)],
  };
}

const shown = (tree: FolderTree) =>
  tree.rows.value.map(({ name, level }) => `${"  ".repeat(level - 1)}${name || "/"}`);

Deno.test("the tree opens the way to where it starts, and reads nothing else", async () => {
  const folders = { "/": ["a", "b"], "/a": ["in"], "/a/in": [], "/b": [] };
  await using planting = planted(folders, "/a/in");
  await planting.tree.start();
  assert.deepEqual(shown(planting.tree), ["/", "  a", "    in", "  b"]);
  assert.equal(planting.tree.chosen.value, "/a/in");
  assert.deepEqual(planting.heard.map(({ path }) => path).sort(), [
    "/api/resources/",
    "/api/resources/a",
    "/api/resources/a/in",
  ]);
});

Deno.test("keys go through the tree as through any", async () => {
  await using planting = planted({ "/": ["a", "b"], "/a": ["in"], "/b": [] });
  const { tree } = planting;
  await tree.start();
  const steps = [
    ["ArrowDown", "/a"],
    ["in", "/a"],
    ["in", "/a/in"],
    ["out", "/a"],
    ["out", "/a"],
    ["out", "/"],
    ["End", "/b"],
    ["ArrowDown", "/b"],
    ["Home", "/"],
    ["ArrowUp", "/"],
  ] as const;
  for (const [key, chosen] of steps) {
    await tree.step(key);
    assert.equal(tree.chosen.value, chosen, key);
  }
  tree.type("B");
  assert.equal(tree.chosen.value, "/b");
  assert.deepEqual(shown(tree), ["/", "  a", "  b"]);
});

Deno.test("of many folders some are shown, then more", async () => {
  await using planting = planted({ "/": manyNames(450) });
  const { tree } = planting;
  await tree.start();
  assert.equal(tree.rows.value.length, 201);
  assert.deepEqual(tree.rows.value.at(-1)?.more, { of: ROOT, count: 250 });
  await tree.more(ROOT);
  await tree.more(ROOT);
  assert.equal(tree.rows.value.length, 451);
  assert.equal(tree.rows.value.at(-1)?.more, undefined);
});

Deno.test("a folder that can't be read says so, and is read again when it is opened again", async () => {
  const folders: Record<string, string[]> = { "/": ["shut"] };
  await using planting = planted(folders);
  const { tree } = planting;
  await tree.start();
  await tree.open(at("/shut"));
  assert.ok(tree.rows.value[1]?.hasFailed);
  folders["/shut"] = ["in"];
  await tree.open(at("/shut"));
  assert.deepEqual(shown(tree), ["/", "  shut", "    in"]);
});

Deno.test("a new folder is shown and chosen; closing a folder chooses it for what was in it", async () => {
  const folders: Record<string, string[]> = { "/": ["a"], "/a": [] };
  await using planting = planted(folders);
  const { tree } = planting;
  await tree.start();
  folders["/a"] = ["new"];
  await tree.add(at("/a"), "new");
  assert.equal(tree.chosen.value, "/a/new");
  assert.deepEqual(shown(tree), ["/", "  a", "    new"]);
  tree.close(at("/a"));
  assert.equal(tree.chosen.value, "/a");
});

Deno.test("without its root the tree shows where one is, and the keys stay inside", async () => {
  const folders = { "/": ["a", "b"], "/a": ["in"], "/a/in": ["deep"], "/b": [] };
  await using planting = planted(folders, "/", { hidesRoot: true, opened: [at("/b")] });
  const { tree } = planting;
  await tree.reveal(at("/a/in"), true);
  assert.deepEqual(tree.rows.value.map(({ name }) => name), ["a", "in", "b"]);
  assert.equal(tree.chosen.value, "/a/in");
  await tree.step("out");
  assert.equal(tree.chosen.value, "/a");
  await tree.step("out");
  await tree.step("out");
  assert.equal(tree.chosen.value, "/a", "not the root, which has no row");
  await tree.reveal(at("/a/in/deep"), false);
  assert.deepEqual(tree.rows.value.map(({ name }) => name), ["a", "in", "deep", "b"]);
  assert.equal(tree.chosen.value, "/a", "the keyboard's place is left alone");
});

Deno.test("a folder beyond those that were read is shown when one is in it, until it is gone", async () => {
  const names = manyNames(450);
  const last = names.at(-1) ?? "";
  const folders: Record<string, string[]> = { "/": names, [`/${last}`]: [] };
  await using planting = planted(folders, "/", { hidesRoot: true });
  const { tree } = planting;
  await tree.reveal(at(`/${last}`), true);
  assert.equal(tree.rows.value.length, 201);
  assert.equal(tree.rows.value.at(-1)?.name, last);
  folders["/"] = names.slice(0, 3);
  await tree.refresh();
  assert.deepEqual(tree.rows.value.map(({ name }) => name), names.slice(0, 3));
});

Deno.test("what is expanded is read again on news, as far as it is in sight, and as much as was shown", async () => {
  const folders: Record<string, string[]> = {
    "/": manyNames(450),
    "/a": ["in"],
    "/a/in": ["deep"],
  };
  folders["/"]?.unshift("a");
  await using planting = planted(folders);
  const { tree } = planting;
  await tree.start();
  await tree.more(ROOT);
  await tree.open(at("/a"));
  await tree.open(at("/a/in"));
  tree.close(at("/a"));
  planting.heard.length = 0;
  folders["/"]?.splice(1, 1);
  await tree.refresh();
  assert.deepEqual(planting.heard.map(({ path, query }) => `${path} ${query.get("limit")}`), [
    "/api/resources/ 400",
  ]);
  assert.equal(tree.rows.value.length, 401);
  folders["/a"] = ["other"];
  await tree.open(at("/a"));
  await tree.refresh();
  assert.deepEqual(shown(tree).slice(0, 3), ["/", "  a", "    other"]);
});

Deno.test("a folder that was changed since the tree has read it is told from one that was not", async () => {
  await using planting = planted({ "/": manyNames(250), "/a": ["one", "two"] });
  const { tree } = planting;
  await tree.start();
  const read = (names: string[], folder = "/a") =>
    foldersOf(names, new URLSearchParams("limit=2"), folder);
  assert.ok(!tree.hasNews(read(["one", "two"])), "it was not read yet");
  await tree.open(at("/a"));
  assert.ok(!tree.hasNews(read(["one", "two"])));
  assert.ok(tree.hasNews(read(["one"])));
  assert.ok(tree.hasNews(read(["one", "other"])));
  // Of a large folder the tree has a part.
  assert.ok(!tree.hasNews(read(manyNames(250).toReversed(), "/")));
  assert.ok(tree.hasNews(read(manyNames(251), "/")));
});

Deno.test("an answer that is overtaken by a later one is dropped", async () => {
  const answers: ((names: string[]) => void)[] = [];
  const resource = () =>
    new Promise((resolve) =>
      answers.push((names) =>
        resolve({ ok: true, value: foldersOf(names, new URLSearchParams(), "/") })
      )
    );
  const tree = new FolderTree({ resource } as never, ROOT);
  const reading = [tree.open(ROOT), tree.refresh()];
  answers[1]?.(["new"]);
  answers[0]?.(["old"]);
  await Promise.all(reading);
  assert.deepEqual(shown(tree), ["/", "  new"]);
});
