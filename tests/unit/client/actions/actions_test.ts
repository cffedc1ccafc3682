import assert from "node:assert/strict";
import { parsePath } from "../../../../lib/shared/path.ts";
import { Actions } from "../../../../lib/client/actions/actions.ts";
import { LeaveGuard } from "../../../../lib/client/navigation/leave_guard.ts";
import { Clipboard } from "../../../../lib/client/actions/clipboard.ts";
import { Listing } from "../../../../lib/client/listing/listing.ts";
import { type NameQuestion, Prompts } from "../../../../lib/client/prompts/prompts.ts";
import { type Failure, failure } from "../../../../lib/shared/result.ts";
import { Tasks } from "../../../../lib/client/live/tasks.ts";
import { Toasts } from "../../../../lib/client/ui/toasts.ts";
import { wordsOf } from "../../../../lib/server/pages/dictionaries.ts";
import { createI18n } from "../../../../lib/shared/i18n/instance.ts";
import { fileNamed, folderOf, type Heard, manyNames, speakTo, until } from "../support.ts";

const { t } = createI18n("en", wordsOf("en"));

type Refuse = (heard: Heard) => Response | null;

/** A folder "/docs" on a server that forgets what is deleted, and the actions on it. */
function desk(names: string[], refuse: Refuse = () => null, may = () => true) {
  const state = { names: [...names] };
  const spoken = speakTo((heard) => {
    const refused = refuse(heard);
    if (refused) return refused;
    const name = decodeURIComponent(heard.path.split("/").filter((part) => part).at(-1) ?? "");
    if (heard.method === "DELETE") state.names = state.names.filter((known) => known !== name);
    if (heard.method === "POST") state.names = [...state.names, name].sort();
    if (heard.method === "HEAD") {
      return new Response(null, { status: state.names.includes(name) ? 200 : 404 });
    }
    return Response.json(folderOf(state.names, heard.query, "/docs"));
  });
  const { api } = spoken;
  const initial = { path: "/docs", resource: folderOf(names, undefined, "/docs"), failure: null };
  const listing = new Listing({ api, initial });
  const prompts = new Prompts();
  const toasts = new Toasts();
  const clipboard = new Clipboard();
  const went: string[] = [];
  const saved: string[] = [];
  const forms: { address: string; files: string; refused: (why: Failure) => void }[] = [];
  const actions = new Actions({
    api,
    listing,
    navigation: {
      go: (at, options) => void went.push(`${at} ${options?.folder}`),
      leave: () => void went.push("left"),
      guard: new LeaveGuard(),
    },
    prompts,
    tasks: new Tasks(null),
    clipboard,
    toasts,
    t,
    may,
    follows: () => false,
    saving: {
      from: (address) => void saved.push(address),
      byForm: (address, { files = "" }, refused) => void forms.push({ address, files, refused }),
    },
  });
  return Object.assign(spoken, {
    state,
    listing,
    prompts,
    toasts,
    clipboard,
    actions,
    went,
    saved,
    forms,
  });
}

const errorsOf = ({ toasts }: { toasts: Toasts }) =>
  toasts.shown.value.filter(({ kind }) => kind === "error").map(({ text }) => text);

const callsOf = ({ heard }: { heard: Heard[] }, method: string) =>
  heard.filter((call) => call.method === method).map(({ target }) => target);

/** Takes the news of success away at once, so that no timer outlives the test. */
async function withoutNews<T>({ toasts }: { toasts: Toasts }, run: Promise<T>): Promise<string[]> {
  const news: string[] = [];
  toasts.success = (text) => void news.push(text);
  await run;
  return news;
}

/** Runs a download, and asks for an archive of a kind when the prompt comes. */
async function withArchive(files: ReturnType<typeof desk>, kind = "zip"): Promise<void> {
  const running = files.actions.downloadSelection();
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("download", kind);
  await running;
}

Deno.test("actions without permission do nothing, not even ask", async () => {
  await using files = desk(["a"], () => null, () => false);
  files.listing.selection.all();
  await files.actions.newFolder();
  await files.actions.deleteSelection();
  await files.actions.downloadSelection();
  assert.equal(files.prompts.current.value, null);
  assert.equal(files.heard.length, 0);
  assert.deepEqual(files.saved, []);
});

Deno.test("newFolder() makes nothing when the prompt is closed", async () => {
  await using files = desk(["a"]);
  const making = files.actions.newFolder();
  await until(() => files.prompts.current.value !== null);
  files.prompts.close();
  await making;
  assert.equal(files.heard.length, 0);
});

Deno.test("newFolder() says so when the name is taken", async () => {
  await using files = desk(manyNames(200));
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
  await using files = desk(["a", "c"]);
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
  await using files = desk(["a", "b"]);
  await files.actions.deleteSelection();
  assert.equal(files.prompts.current.value, null);
  files.listing.selection.click(1);
  const deleting = files.actions.deleteSelection();
  await until(() => files.prompts.current.value !== null);
  assert.deepEqual(files.prompts.current.value, {
    id: 1,
    kind: "delete",
    input: { count: 1, name: "b" },
  });
  files.prompts.close();
  await deleting;
  assert.equal(files.heard.length, 0);
});

Deno.test("an action is about what was selected at the press, whatever is selected next", async () => {
  await using files = desk(["a", "b"]);
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
    await withoutNews(files, acting);
  }
  assert.deepEqual(callsOf(files, "DELETE").map((target) => target.split("?")[0]), [
    "/api/resources/docs/a",
  ]);
});

Deno.test("deleteSelection() deletes nothing once the folder has changed under what was not seen", async () => {
  await using files = desk(manyNames(120));
  files.listing.selection.all();
  const deleting = files.actions.deleteSelection();
  await until(() => files.prompts.current.value !== null);
  files.state.names = ["came meanwhile", ...files.state.names];
  files.prompts.answer("delete", true);
  await deleting;
  assert.deepEqual(callsOf(files, "DELETE"), []);
  assert.equal(errorsOf(files).length, 1);
});

Deno.test("deleteSelection() deletes all that is selected, seen or not", async () => {
  await using files = desk(manyNames(120));
  files.listing.selection.all();
  const deleting = files.actions.deleteSelection();
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("delete", true);
  assert.deepEqual(await withoutNews(files, deleting), ["120 items deleted"]);
  assert.equal(callsOf(files, "DELETE").length, 120);
  assert.equal(files.listing.rows.value.total, 0);
  assert.equal(files.listing.selection.now.value.size, 0);
});

Deno.test("deleteSelection() keeps selected what could not be deleted, and says why once", async () => {
  const refuse: Refuse = ({ method, path }) =>
    method === "DELETE" && /[bc]$/.test(path)
      ? Response.json({ code: "forbidden", message: "Cannot delete" }, { status: 403 })
      : null;
  await using files = desk(["a", "b", "c"], refuse);
  files.listing.selection.all();
  const deleting = files.actions.deleteSelection();
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("delete", true);
  assert.deepEqual(await withoutNews(files, deleting), ["1 item deleted"]);
  assert.deepEqual(errorsOf(files), [
    "Couldn’t delete 2 items. You don’t have permissions to access this." +
    " If you need access, ask an administrator.",
  ]);
  assert.deepEqual(files.listing.selection.snapshot().names.toSorted(), ["b", "c"]);
  assert.equal(files.listing.rows.value.total, 2);
});

Deno.test("deleteSelection() takes what is gone already as deleted", async () => {
  const gone: Refuse = ({ method }) =>
    method === "DELETE" ? new Response(null, { status: 404 }) : null;
  await using files = desk(["a"], gone);
  files.listing.selection.all();
  const deleting = files.actions.deleteSelection();
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("delete", true);
  await withoutNews(files, deleting);
  assert.deepEqual(errorsOf(files), []);
});

Deno.test("downloadSelection() takes the cookie's way where it is open", async () => {
  await using files = desk(["a b.txt", "c"]);
  files.listing.selection.click(0);
  const seen: Refuse = ({ path }) => path.startsWith("/api/raw") ? new Response(null) : null;
  await using raw = desk(["a b.txt", "c"], seen);
  raw.listing.selection.click(0);
  await raw.actions.downloadSelection();
  assert.deepEqual(raw.saved.map((address) => new URL(address).pathname), [
    "/api/raw/docs/a%20b.txt",
  ]);
  assert.deepEqual(callsOf(raw, "POST"), []);
});

Deno.test("downloadSelection() shows a ticket where the cookie does not reach", async () => {
  const closed: Refuse = ({ method, path }) => {
    if (path.startsWith("/api/raw")) return new Response(null, { status: 401 });
    return method === "POST" ? new Response("a.ticket.x") : null;
  };
  await using files = desk(["a", "b", "c"], closed);
  files.listing.selection.click(0);
  files.listing.selection.click(1, { toggle: true });
  await withArchive(files);
  assert.equal(files.session.ended.value, null);
  assert.deepEqual(JSON.parse(files.heard.at(-1)?.body ?? ""), { path: "/docs", use: "raw" });
  const address = new URL(files.saved[0] ?? "");
  assert.equal(address.pathname, "/api/raw/docs");
  assert.equal(address.searchParams.get("files"), "a,b");
  assert.equal(address.searchParams.get("auth"), "a.ticket.x");
});

Deno.test("downloadSelection() downloads the folder when nothing or everything is selected", async () => {
  const open: Refuse = ({ path }) => path.startsWith("/api/raw") ? new Response(null) : null;
  await using files = desk(manyNames(30), open);
  await withArchive(files);
  files.listing.selection.all();
  await withArchive(files, "tar.gz");
  const targets = files.saved.map((address) => new URL(address)).map((url) =>
    url.pathname + url.search
  );
  assert.deepEqual(targets, ["/api/raw/docs?algo=zip", "/api/raw/docs?algo=tar.gz"]);
});

Deno.test("downloadSelection() puts more names than an address can hold into a form", async () => {
  const giving: Refuse = ({ method }) => method === "POST" ? new Response("a.ticket.x") : null;
  await using files = desk(manyNames(3000), giving);
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
  await using files = desk(long);
  files.listing.selection.all();
  files.listing.selection.click(0, { toggle: true });
  await withArchive(files);
  assert.deepEqual([files.saved, files.forms], [[], []]);
  assert.match(errorsOf(files)[0] ?? "", /too many items at once/);
});

Deno.test("downloadSelection() says why there is nothing to save", async () => {
  const refuse: Refuse = ({ path }) =>
    path.startsWith("/api/raw") ? new Response(null, { status: 403 }) : null;
  await using files = desk(["a"], refuse);
  files.listing.selection.all();
  await files.actions.downloadSelection();
  assert.deepEqual(files.saved, []);
  assert.deepEqual(errorsOf(files), [
    "The download failed. You don’t have permissions to access this." +
    " If you need access, ask an administrator.",
  ]);
});

Deno.test("openAt() goes to the entry, and nowhere while that is not loaded", async () => {
  await using files = desk(manyNames(200));
  files.actions.openAt(2);
  files.actions.openAt(150);
  assert.deepEqual(files.went, ["/docs/file 00002 false"]);
});

Deno.test("a link that can't be opened is neither gone to nor downloaded", async () => {
  await using files = desk(["a", "b"]);
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
  await using files = desk(["a"]);
  const making = files.actions.newFolder();
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("newDir", "b");
  await files.listing.open(parsePath("/elsewhere").path);
  await making;
  await until(() => callsOf(files, "POST").length === 1);
  assert.equal(files.listing.selection.now.value.size, 0);
});

Deno.test("a file on screen that is deleted gives way to its successor, else to its folder", async () => {
  await using files = desk(["a.png", "b.png"]);
  const remove = async () => {
    const running = withoutNews(files, files.actions.deleteSelection());
    await until(() => files.prompts.current.value !== null);
    files.prompts.answer("delete", true);
    await running;
  };
  const picture = (name: string) => ({ ...fileNamed(name, "/docs"), type: "image" }) as const;
  files.listing.expect(picture("a.png"));
  await files.listing.open(parsePath("/docs/a.png").path);
  files.actions.successor = picture("b.png");
  await remove();
  assert.deepEqual(files.went, ["/docs/b.png false"]);

  await files.listing.open(parsePath("/docs/b.png").path);
  files.actions.successor = null;
  await remove();
  assert.deepEqual(files.went.slice(1), ["left"]);
  assert.equal(callsOf(files, "DELETE").length, 2);
});
