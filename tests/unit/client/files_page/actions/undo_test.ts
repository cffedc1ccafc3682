import assert from "node:assert/strict";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { fileNamed, until } from "../../support.ts";
import { askedOf, deleteSelected, errorsOf, type Fixture, setUp } from "./fixture.ts";

const at = (text: string) => parsePath(text).path;

const changed = "Couldn’t undo everything. Something there has changed since.";

const picture = (name: string) => ({ ...fileNamed(name, "/docs"), type: "image" }) as const;

/** Waits until something more is told, and what follows from it is done. */
async function told({ news, toasts }: Fixture, count: number): Promise<void> {
  await until(() => news.length + toasts.shown.value.length >= count);
}

async function rename({ actions, prompts }: Fixture, name: string): Promise<void> {
  const renaming = actions.rename();
  await until(() => prompts.current.value !== null);
  prompts.answer("rename", name);
  await renaming;
}

/** The actions that can be undone, and what they leave in "/docs" and "/to". */
const acts: Record<string, (files: Fixture) => Promise<void>> = {
  async "a deletion"(files) {
    files.listing.selection.only(0);
    await deleteSelected(files);
    assert.deepEqual(files.folders["/docs"], ["b"]);
  },
  async "a move"(files) {
    await files.actions.drop("move", [at("/docs/a")], at("/to"));
    assert.deepEqual([files.folders["/docs"], files.folders["/to"]], [["b"], ["a"]]);
  },
  async "a copy"(files) {
    await files.actions.drop("copy", [at("/docs/a")], at("/to"));
    assert.deepEqual(files.folders["/to"], ["a"]);
  },
  async "a new name"(files) {
    files.listing.selection.only(0);
    await rename(files, "c");
    assert.deepEqual(files.folders["/docs"], ["b", "c"]);
  },
  "an upload"(files) {
    files.jobs.upload("upload-1", "/docs/c");
    files.folders["/docs"]?.push("c");
    files.actions.tell("1 item uploaded", ["upload-1"]);
    return Promise.resolve();
  },
};

Deno.test("there is nothing to undo before anything was done, nor for what can't be undone", async () => {
  await using files = setUp(["a", "b"]);
  assert.equal(files.actions.undo(), false);
  files.listing.selection.only(0);
  const deleting = files.actions.deleteSelection(true);
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("delete", true);
  await deleting;
  assert.deepEqual([files.news, files.undos], [["1 item deleted"], [undefined]]);
  assert.equal(files.actions.undo(), false);
  assert.deepEqual(files.jobs.undone, []);
});

for (const [name, act] of Object.entries(acts)) {
  Deno.test(`undo() takes back ${name} once, and its message goes`, async () => {
    await using files = setUp(["a", "b"], { there: { "/to": [] } });
    await act(files);
    assert.equal(files.actions.undo(), true);
    assert.equal(files.actions.undo(), false);
    await told(files, 2);
    await until(() => !files.listing.refreshing.value);
    assert.deepEqual(files.news.slice(1), ["1 change undone"]);
    assert.deepEqual(files.closed, [1]);
    assert.deepEqual([files.folders["/docs"], files.folders["/to"]], [["a", "b"], []]);
    assert.equal(files.jobs.undone.length, 1);
    assert.deepEqual(errorsOf(files), []);
  });

  Deno.test(`the message about ${name} takes it back, and the keyboard does not again`, async () => {
    await using files = setUp(["a", "b"], { there: { "/to": [] } });
    await act(files);
    files.undos[0]?.();
    assert.equal(files.actions.undo(), false);
    await told(files, 2);
    await until(() => !files.listing.refreshing.value);
    assert.deepEqual([files.folders["/docs"], files.folders["/to"]], [["a", "b"], []]);
    assert.deepEqual(errorsOf(files), []);
  });
}

Deno.test("only the last action is undone by the keyboard, an earlier one by its message", async () => {
  await using files = setUp(["a", "b"], { there: { "/to": [] } });
  await acts["a move"]?.(files);
  files.listing.selection.only(0);
  await rename(files, "c");
  files.undos[0]?.();
  await told(files, 3);
  assert.deepEqual(files.folders["/docs"], ["a", "c"]);
  assert.equal(files.actions.undo(), true);
  await told(files, 4);
  await until(() => !files.listing.refreshing.value);
  assert.deepEqual(files.folders["/docs"], ["a", "b"]);
  assert.deepEqual(files.jobs.undone, ["job-00000001", "job-00000002"]);
});

Deno.test("an action of several jobs is undone as one, the last job first", async () => {
  await using files = setUp(["a", "b"], {
    refuse: (action, path, entry) =>
      action === "copy" && path === "/docs/b" && !entry?.override ? "exists" : null,
  });
  const copying = files.actions.drop("copy", [at("/docs/a"), at("/docs/b")], at("/to"));
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("replace", new Map([["b", "replace"]]));
  await copying;
  assert.deepEqual(askedOf(files), [
    "copy /docs/a /to/a",
    "copy /docs/b /to/b",
    "copy /docs/b /to/b override",
  ]);
  assert.deepEqual(files.news, ["2 items copied"]);
  await files.actions.undoJobs(["job-00000001", "job-00000002"]);
  assert.equal(files.actions.undo(), false);
  assert.deepEqual(files.jobs.undone, ["job-00000002", "job-00000001"]);
  assert.deepEqual(files.news.slice(1), ["2 changes undone"]);
});

Deno.test("what can't be undone is told once for each reason, and the rest is undone", async () => {
  await using files = setUp(["a", "b", "c", "d"], {
    refuse: (action, path) =>
      action !== "undo" || path === "/to/d"
        ? null
        : path === "/to/c"
        ? "disk_full"
        : "precondition_failed",
  });
  const paths = ["a", "b", "c", "d"].map((name) => at(`/docs/${name}`));
  await files.actions.drop("move", paths, at("/to"));
  await files.actions.undoJobs(["job-00000001", "job-none"]);
  assert.deepEqual(files.news.slice(1), ["1 change undone"]);
  assert.deepEqual(errorsOf(files), [
    changed,
    "Couldn’t undo everything. The disk is full. Free up some space, then try again.",
  ]);
  assert.deepEqual(files.folders["/docs"], ["d"]);
});

Deno.test("what another device has undone meanwhile is told as changed", async () => {
  await using files = setUp(["a"]);
  await files.actions.drop("move", [at("/docs/a")], at("/to"));
  await files.actions.undoJobs(["job-00000001"]);
  await files.actions.undoJobs(["job-00000001"]);
  assert.deepEqual(errorsOf(files), [changed]);
});

Deno.test("too many attempts are told with the time to wait", async () => {
  await using files = setUp(["a"], {
    answer: ({ path }) =>
      path.endsWith("/undo")
        ? new Response(null, { status: 429, headers: { "retry-after": "7" } })
        : null,
  });
  await files.actions.drop("move", [at("/docs/a")], at("/to"));
  await files.actions.undoJobs(["job-00000001"]);
  assert.deepEqual(errorsOf(files), [
    "Couldn’t undo everything. Too many attempts. Try again in 7 seconds.",
  ]);
});

Deno.test("the file on screen is gone along with when its new name is taken back", async () => {
  await using files = setUp(["a"]);
  files.listing.expect(picture("a"));
  await files.listing.open(at("/docs/a"));
  await rename(files, "b");
  assert.deepEqual(files.went, ["/docs/b false"]);
  files.listing.expect(picture("b"));
  await files.listing.open(at("/docs/b"));
  assert.equal(files.actions.undo(), true);
  await until(() => files.went.length === 2);
  assert.deepEqual(files.went[1], "/docs/a false");
});

Deno.test("another file on screen stays there when something beside it is taken back", async () => {
  await using files = setUp(["a", "c"]);
  await files.actions.drop("move", [at("/docs/a")], at("/to"));
  await files.actions.drop("move", [at("/to/a")], at("/docs"));
  files.listing.expect(picture("c"));
  await files.listing.open(at("/docs/c"));
  await files.actions.undoJobs(["job-00000002"]);
  assert.deepEqual([files.went, files.listing.path.value], [[], "/docs/c"]);
});
