import assert from "node:assert/strict";
import type { ArchiveFormat } from "../../../../../lib/shared/schemas/choices/choices.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";
import type { NameQuestion } from "../../../../../lib/client/base/prompts/prompts.ts";
import { failure } from "../../../../../lib/shared/result.ts";
import { fileNamed, type Heard, manyNames, until } from "../../support.ts";
import { askedOf, callsOf, deleteSelected, errorsOf, type Fixture, setUp } from "./fixture.ts";

type Answer = (heard: Heard) => Response | null;
type Refuse = NonNullable<Parameters<typeof setUp>[1]>["refuse"];

/** The roots of a user whose "/docs" is read-only. */
const closedDocs = { names: ["docs"], readOnlyPaths: [parsePath("/docs").path] };

/** Runs a download, and asks for an archive of a kind. */
async function withArchive(files: Fixture, kind: ArchiveFormat): Promise<void> {
  const running = files.actions.downloadSelection(undefined, true);
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("download", kind);
  await running;
}

Deno.test("actions without permission do nothing, not even ask", async () => {
  await using files = setUp(["a"], { may: () => false });
  files.listing.selection.all();
  await files.actions.newFolder();
  await files.actions.deleteSelection();
  await files.actions.downloadSelection();
  assert.equal(files.prompts.current.value, null);
  assert.equal(files.heard.length, 0);
  assert.deepEqual(files.saved, []);
});

Deno.test("newFolder() makes nothing when the prompt is closed", async () => {
  await using files = setUp(["a"]);
  const making = files.actions.newFolder();
  await until(() => files.prompts.current.value !== null);
  files.prompts.close();
  await making;
  assert.equal(files.heard.length, 0);
});

Deno.test("newFolder() says so when the name is taken", async () => {
  await using files = setUp(manyNames(200));
  const making = files.actions.newFolder();
  await until(() => files.prompts.current.value !== null);
  assert.ok(files.prompts.current.value?.kind === "newDir");
  assert.ok(files.prompts.current.value.input.taken("file 00003"));
  assert.ok(!files.prompts.current.value.input.taken("file 00199"));
  files.prompts.answer("newDir", "file 00199");
  await until(() => files.prompts.current.value?.id === 2);
  assert.deepEqual(callsOf(files, "POST"), []);
  const again = files.prompts.current.peek()?.input as NameQuestion;
  assert.equal(again.initial, "file 00199");
  assert.equal(again.complaint, "This name is already taken. Choose a different one.");
  files.prompts.close();
  await making;
  assert.deepEqual(errorsOf(files), []);
});

Deno.test("newFolder() makes the trimmed name, then shows and selects it", async () => {
  await using files = setUp(["a", "c"]);
  const making = files.actions.newFolder();
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("newDir", "  b & co ");
  await making;
  assert.deepEqual(callsOf(files, "POST"), ["/api/resources/docs/b%20%26%20co/"]);
  assert.equal(files.listing.rows.value.at(1)?.name, "b & co");
  assert.ok(files.listing.selection.now.value.has(1));
  assert.equal(files.listing.cursor.index.value, 1);
});

Deno.test("deleteSelection() deletes nothing unless it is confirmed", async () => {
  await using files = setUp(["a", "b"]);
  await files.actions.deleteSelection();
  assert.equal(files.prompts.current.value, null);
  files.listing.selection.click(1);
  const deleting = files.actions.deleteSelection();
  await until(() => files.prompts.current.value !== null);
  assert.deepEqual(files.prompts.current.value, {
    id: 1,
    kind: "delete",
    input: { count: 1, name: "b", mode: "trash" },
  });
  files.prompts.close();
  await deleting;
  assert.equal(files.heard.length, 0);
});

Deno.test("deleteSelection() asks again where the disk has no trash", async () => {
  const refuse: Refuse = (action, path) =>
    action === "trash" && path !== "/docs/a" ? "no_trash" : null;
  await using files = setUp(["a", "b", "c"], { refuse });
  files.listing.selection.all();
  const deleting = deleteSelected(files);
  await until(() => JSON.stringify(files.prompts.current.value).includes("noTrash"));
  assert.deepEqual(files.prompts.current.value?.input, {
    count: 2,
    name: undefined,
    mode: "noTrash",
  });
  files.prompts.answer("delete", true);
  await deleting;
  assert.deepEqual(files.news, ["1 item moved to trash", "2 items deleted"]);
  assert.deepEqual(errorsOf(files), []);
  assert.deepEqual(files.jobs.asked, [
    ["trash /docs/a", "trash /docs/b", "trash /docs/c"],
    ["delete /docs/b", "delete /docs/c"],
  ]);
});

Deno.test("deleteSelection() keeps what has no trash when that is not to go for good", async () => {
  await using files = setUp(["a"], { refuse: () => "no_trash" });
  files.listing.selection.all();
  const deleting = deleteSelected(files);
  await until(() => JSON.stringify(files.prompts.current.value).includes("noTrash"));
  files.prompts.close();
  await deleting;
  assert.deepEqual(askedOf(files), ["trash /docs/a"]);
  assert.equal(errorsOf(files).length, 1);
});

Deno.test("an action is about what was selected at the press, whatever is selected next", async () => {
  await using files = setUp(["a", "b"]);
  const { actions, listing, prompts } = files;
  const kinds = ["rename", "share", "info", "destination", "delete"] as const;
  const acts = {
    rename: () => actions.rename(),
    share: () => actions.share(),
    info: () => actions.info(),
    destination: () => actions.move(),
    delete: () => actions.deleteSelection(),
  };
  for (const kind of kinds) {
    listing.selection.only(0);
    const acting = acts[kind]();
    listing.selection.only(1);
    await until(() => prompts.current.value !== null);
    const asked = JSON.stringify(prompts.current.value);
    assert.match(asked, /"a"|"\/docs\/a"/, asked);
    assert.doesNotMatch(asked, /"b"|"\/docs\/b"/, asked);
    if (kind !== "delete") prompts.close();
    else prompts.answer("delete", true);
    await acting;
  }
  assert.deepEqual(askedOf(files), ["trash /docs/a"]);
});

Deno.test("deleteSelection() deletes nothing once the folder has changed under what was not seen", async () => {
  await using files = setUp(manyNames(120));
  files.listing.selection.all();
  const deleting = files.actions.deleteSelection();
  await until(() => files.prompts.current.value !== null);
  files.folders["/docs"]?.unshift("came meanwhile");
  files.prompts.answer("delete", true);
  await deleting;
  assert.deepEqual(askedOf(files), []);
  assert.equal(errorsOf(files).length, 1);
});

Deno.test("deleteSelection() deletes all that is selected, seen or not, by one job", async () => {
  await using files = setUp(manyNames(120));
  files.listing.selection.all();
  await deleteSelected(files);
  assert.deepEqual(files.news, ["120 items moved to trash"]);
  assert.deepEqual(files.jobs.asked, [manyNames(120).map((name) => `trash /docs/${name}`)]);
  assert.equal(files.listing.rows.value.total, 0);
  assert.equal(files.listing.selection.now.value.size, 0);
});

Deno.test("deleteSelection() keeps selected what could not be deleted, and says why once", async () => {
  const refuse: Refuse = (_action, path) => /[bc]$/.test(path) ? "forbidden" : null;
  await using files = setUp(["a", "b", "c"], { refuse });
  files.listing.selection.all();
  await deleteSelected(files);
  assert.deepEqual(files.news, ["1 item moved to trash"]);
  assert.deepEqual(errorsOf(files), [
    "Couldn’t delete 2 items. You don’t have permissions to access this." +
    " If you need access, ask an administrator.",
  ]);
  assert.deepEqual(files.listing.selection.snapshot().names.toSorted(), ["b", "c"]);
  assert.equal(files.listing.rows.value.total, 2);
});

Deno.test("deleteSelection() tells how many failed beyond those that are listed", async () => {
  await using files = setUp(manyNames(1200), { refuse: () => "disk_full" });
  files.listing.selection.all();
  await deleteSelected(files);
  assert.deepEqual(files.news, []);
  assert.deepEqual(errorsOf(files), [
    "Couldn’t delete 1,000 items. The disk is full. Free up some space, then try again.",
    "Also failed: 200",
  ]);
});

Deno.test("deleteSelection() says so when it is more than the server takes at once", async () => {
  const answer: Answer = ({ method }) =>
    method === "POST"
      ? Response.json({ code: "body_too_large", message: "Cannot read" }, { status: 413 })
      : null;
  await using files = setUp(["a", "b"], { answer });
  files.listing.selection.all();
  await deleteSelected(files);
  assert.deepEqual(errorsOf(files), [
    "Couldn’t delete 2 items. That’s too many items at once. Select fewer.",
  ]);
  assert.deepEqual(files.listing.selection.snapshot().names, ["a", "b"]);
});

Deno.test("deleteSelection() takes what is gone already as deleted", async () => {
  await using files = setUp(["a"], { refuse: () => "not_found" });
  files.listing.selection.all();
  await deleteSelected(files);
  assert.deepEqual([files.news, errorsOf(files)], [[], []]);
});

Deno.test("downloadSelection() takes the cookie's way where it is open", async () => {
  await using files = setUp(["a b.txt", "c"]);
  files.listing.selection.click(0);
  const seen: Answer = ({ path }) => path.startsWith("/api/raw") ? new Response(null) : null;
  await using raw = setUp(["a b.txt", "c"], { answer: seen });
  raw.listing.selection.click(0);
  await raw.actions.downloadSelection();
  assert.deepEqual(raw.saved.map((address) => new URL(address).pathname), [
    "/api/raw/docs/a%20b.txt",
  ]);
  assert.deepEqual(callsOf(raw, "POST"), []);
});

Deno.test("downloadSelection() shows a ticket where the cookie does not reach", async () => {
  const closed: Answer = ({ method, path }) => {
    if (path.startsWith("/api/raw")) return new Response(null, { status: 401 });
    return method === "POST" ? new Response("a.ticket.x") : null;
  };
  await using files = setUp(["a", "b", "c"], { answer: closed });
  files.listing.selection.click(0);
  files.listing.selection.click(1, { toggle: true });
  await files.actions.downloadSelection();
  assert.equal(files.session.ended.value, null);
  assert.deepEqual(JSON.parse(files.heard.at(-1)?.body ?? ""), { path: "/docs", use: "raw" });
  const address = new URL(files.saved[0] ?? "");
  assert.equal(address.pathname, "/api/raw/docs");
  assert.equal(address.searchParams.get("files"), "a,b");
  assert.equal(address.searchParams.get("auth"), "a.ticket.x");
});

Deno.test("downloadSelection() downloads the folder when nothing or everything is selected", async () => {
  const open: Answer = ({ path }) => path.startsWith("/api/raw") ? new Response(null) : null;
  await using files = setUp(manyNames(30), { answer: open });
  await files.actions.downloadSelection();
  files.listing.selection.all();
  await withArchive(files, "tar.gz");
  const targets = files.saved.map((address) => new URL(address)).map((url) =>
    url.pathname + url.search
  );
  assert.deepEqual(targets, ["/api/raw/docs?algo=zip", "/api/raw/docs?algo=tar.gz"]);
});

Deno.test("downloadSelection() puts more names than an address can hold into a form", async () => {
  const giving: Answer = ({ method }) => method === "POST" ? new Response("a.ticket.x") : null;
  await using files = setUp(manyNames(3000), { answer: giving });
  files.listing.selection.all();
  files.listing.selection.click(0, { toggle: true });
  await withArchive(files, "tar");
  assert.deepEqual(files.saved, []);
  const [form] = files.forms;
  assert.ok(form && files.forms.length === 1);
  assert.match(form.address, /\/api\/raw\/docs\?algo=tar&auth=a\.ticket\.x$/);
  assert.deepEqual(form.files.split(",").map(decodeURIComponent), manyNames(3000).slice(1));
  assert.deepEqual(errorsOf(files), []);
  form.refused(failure(404, "not_found", "gone"));
  assert.deepEqual(errorsOf(files), [
    "The download failed. This location can’t be reached. It may have been moved, renamed or " +
    "deleted. Try searching for it.",
  ]);
});

Deno.test("downloadSelection() refuses more names than a form can hold", async () => {
  const long = manyNames(25_000).map((name) => name.padEnd(200, "x"));
  await using files = setUp(long);
  files.listing.selection.all();
  files.listing.selection.click(0, { toggle: true });
  await files.actions.downloadSelection();
  assert.deepEqual([files.saved, files.forms], [[], []]);
  assert.match(errorsOf(files)[0] ?? "", /too many items at once/);
});

Deno.test("downloadSelection() says why there is nothing to save", async () => {
  const answer: Answer = ({ path }) =>
    path.startsWith("/api/raw") ? new Response(null, { status: 403 }) : null;
  await using files = setUp(["a"], { answer });
  files.listing.selection.all();
  await files.actions.downloadSelection();
  assert.deepEqual(files.saved, []);
  assert.deepEqual(errorsOf(files), [
    "The download failed. You don’t have permissions to access this." +
    " If you need access, ask an administrator.",
  ]);
});

Deno.test("openAt() goes to the entry, and nowhere while that is not loaded", async () => {
  await using files = setUp(manyNames(200));
  files.actions.openAt(2);
  files.actions.openAt(150);
  assert.deepEqual(files.went, ["/docs/file 00002 false"]);
});

Deno.test("a link that can't be opened is neither gone to nor downloaded", async () => {
  await using files = setUp(["a", "b"]);
  const { rows } = files.listing;
  const [, link] = [...rows.peek().entries()].map(([, entry]) => entry);
  assert.ok(link);
  link.type = "invalid_link";
  files.actions.openAt(1);
  files.listing.selection.only(1);
  await files.actions.downloadSelection();
  assert.deepEqual([files.went, files.saved, callsOf(files, "HEAD")], [[], [], []]);
  const refusal = "b: Link that can’t be opened";
  assert.deepEqual(errorsOf(files), [refusal]);
});

Deno.test("a new folder is selected only where it was made", async () => {
  await using files = setUp(["a"]);
  const making = files.actions.newFolder();
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("newDir", "b");
  await files.listing.open(parsePath("/elsewhere").path);
  await making;
  await until(() => callsOf(files, "POST").length === 1);
  assert.equal(files.listing.selection.now.value.size, 0);
});

Deno.test("a file on screen that is deleted gives way to its successor, else to its folder", async () => {
  await using files = setUp(["a.png", "b.png"]);
  const picture = (name: string) => ({ ...fileNamed(name, "/docs"), type: "image" }) as const;
  files.listing.expect(picture("a.png"));
  await files.listing.open(parsePath("/docs/a.png").path);
  files.actions.successor = picture("b.png");
  await deleteSelected(files);
  assert.deepEqual(files.went, ["/docs/b.png false"]);

  await files.listing.open(parsePath("/docs/b.png").path);
  files.actions.successor = null;
  await deleteSelected(files);
  assert.deepEqual(files.went.slice(1), ["left"]);
  assert.deepEqual(askedOf(files), ["trash /docs/a.png", "trash /docs/b.png"]);
});

Deno.test("rename() keeps the prompt open while only another name helps", async () => {
  const refuse: Refuse = (_action, _path, entry) =>
    entry?.destination === "/docs/taken" ? "exists" : null;
  await using files = setUp(["a"], { refuse });
  files.listing.selection.all();
  const renaming = files.actions.rename();
  await until(() => files.prompts.current.value?.id === 1);
  files.prompts.answer("rename", "taken");
  await until(() => files.prompts.current.value?.id === 2);
  const again = files.prompts.current.peek()?.input as NameQuestion;
  assert.equal(again.complaint, "This name is already taken. Choose a different one.");
  files.prompts.answer("rename", " b ");
  await renaming;
  assert.deepEqual(askedOf(files), ["move /docs/a /docs/taken", "move /docs/a /docs/b"]);
  assert.deepEqual([files.news, errorsOf(files)], [["Renamed to “b”"], []]);
  assert.deepEqual(files.listing.selection.snapshot().names, ["b"]);
});

Deno.test("in a read-only folder actions change nothing and ask nothing, but say why", async () => {
  await using files = setUp(["a"], { roots: closedDocs });
  files.listing.selection.all();
  const { actions } = files;
  await actions.clip("copy");
  const tries = [
    () => actions.newFolder(),
    () => actions.newFile(),
    () => actions.rename(),
    () => actions.move(),
    () => actions.clip("move"),
    () => actions.paste(),
    () => actions.compress(),
    () => actions.deleteSelection(),
    () => actions.deleteSelection(true),
  ];
  for (const act of tries) {
    await act();
    assert.deepEqual(errorsOf(files), ["This folder is read-only."], act.toString());
    for (const { id } of files.toasts.shown.peek()) files.toasts.close(id);
    assert.equal(files.prompts.current.peek(), null, act.toString());
  }
  assert.deepEqual(callsOf(files, "POST"), []);
});

Deno.test("from a read-only folder entries can be copied elsewhere", async () => {
  await using files = setUp(["a"], { roots: closedDocs });
  files.listing.selection.all();
  const copying = files.actions.copy();
  await until(() => files.prompts.current.value?.kind === "destination");
  files.prompts.close();
  await copying;
  assert.deepEqual(errorsOf(files), []);
});
