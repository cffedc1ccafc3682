import assert from "node:assert/strict";
import { parsePath } from "../../../lib/shared/path.ts";
import { Actions } from "../../../lib/client/actions/actions.ts";
import { Clipboard } from "../../../lib/client/actions/clipboard.ts";
import type { Choice, ReplaceQuestion } from "../../../lib/client/actions/conflicts.ts";
import { LeaveGuard } from "../../../lib/client/navigation/leave_guard.ts";
import { Listing } from "../../../lib/client/listing/listing.ts";
import { Prompts } from "../../../lib/client/prompts/prompts.ts";
import { Tasks } from "../../../lib/client/live/tasks.ts";
import { Toasts } from "../../../lib/client/ui/toasts.ts";
import { wordsOf } from "../../../lib/server/pages/dictionaries.ts";
import { createI18n } from "../../../lib/shared/i18n/instance.ts";
import { folderOf, type Heard, speakTo, until } from "./support.ts";

const { t } = createI18n("en", wordsOf("en"));
const at = (text: string) => parsePath(text).path;

/** "/docs" on screen with files in it; other folders hold what `there` says. */
function desk(
  names: string[],
  there: Record<string, string[]> = {},
  answer: (heard: Heard, request: Request) => Promise<Response> | Response | null = () => null,
) {
  const folders: Record<string, string[]> = { "/docs": names, ...there };
  const spoken = speakTo((heard, request) => {
    const given = answer(heard, request);
    if (given) return given;
    if (heard.method === "PATCH") return new Response("OK");
    const path = decodeURIComponent(heard.path.slice("/api/resources".length));
    return Response.json(folderOf(folders[path] ?? [], heard.query, path));
  });
  const { api } = spoken;
  const initial = { path: "/docs", resource: folderOf(names, undefined, "/docs"), failure: null };
  const listing = new Listing({ api, initial });
  const prompts = new Prompts();
  const toasts = new Toasts();
  const news: string[] = [];
  toasts.success = (text) => void news.push(text);
  const clipboard = new Clipboard();
  const tasks = new Tasks(null);
  const actions = new Actions({
    api,
    listing,
    navigation: { go: () => {}, leave: () => {}, guard: new LeaveGuard() },
    prompts,
    tasks,
    clipboard,
    toasts,
    t,
    may: () => true,
    follows: () => false,
    saving: { from: () => {}, byForm: () => {} },
  });
  return Object.assign(spoken, { listing, prompts, tasks, toasts, news, clipboard, actions });
}

const patches = ({ heard }: { heard: Heard[] }) =>
  heard.filter(({ method }) => method === "PATCH").map(({ path, query }) => {
    const flags = ["override", "rename"].filter((flag) => query.get(flag) === "true");
    return [query.get("action"), path.slice(14), query.get("destination"), ...flags].join(" ");
  }).sort();

const errorsOf = ({ toasts }: { toasts: Toasts }) =>
  toasts.shown.value.filter(({ kind }) => kind === "error").map(({ text }) => text);

function question({ prompts }: { prompts: Prompts }): ReplaceQuestion | null {
  const prompt = prompts.current.peek();
  return prompt?.kind === "replace" ? prompt.input : null;
}

Deno.test("nothing is moved into itself, or to where it is", async () => {
  await using files = desk(["a"]);
  await files.actions.drop("move", [at("/docs/a")], at("/docs"));
  await files.actions.drop("move", [at("/x")], at("/x/y"));
  assert.deepEqual(patches(files), []);
  assert.deepEqual(errorsOf(files), [
    "Couldn’t move “x”. A folder can’t be moved or copied into itself.",
  ]);
});

Deno.test("taken names are asked about before anything is done, each for itself", async () => {
  await using files = desk(["a", "b", "c", "d"], { "/to": ["a", "b", "c"] });
  const paths = ["a", "b", "c", "d"].map((name) => at(`/docs/${name}`));
  const moving = files.actions.drop("move", paths, at("/to"));
  await until(() => files.prompts.current.value !== null);
  assert.deepEqual(question(files)?.conflicts.map(({ name }) => name), ["a", "b", "c"]);
  assert.deepEqual(patches(files), []);
  const choices: [string, Choice][] = [["a", "replace"], ["b", "keep"], ["c", "skip"]];
  files.prompts.answer("replace", new Map(choices));
  await moving;
  assert.deepEqual(patches(files), [
    "rename /docs/a /to/a override",
    "rename /docs/b /to/b rename",
    "rename /docs/d /to/d",
  ]);
  assert.deepEqual(files.news, ["3 items moved"]);
});

Deno.test("closing the question does nothing at all", async () => {
  await using files = desk(["a", "b"], { "/to": ["a"] });
  const copying = files.actions.drop("copy", [at("/docs/a"), at("/docs/b")], at("/to"));
  await until(() => files.prompts.current.value !== null);
  files.prompts.close();
  await copying;
  assert.deepEqual(patches(files), []);
});

Deno.test("a name found taken on arrival is asked about then, and tried again", async () => {
  const taken = ({ method, query }: Heard) =>
    method === "PATCH" && query.get("rename") !== "true"
      ? new Response(null, { status: 409 })
      : null;
  await using files = desk(["a"], {}, taken);
  const copying = files.actions.drop("copy", [at("/docs/a")], at("/to"));
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("replace", new Map([["a", "keep"]]));
  await copying;
  assert.deepEqual(patches(files), ["copy /docs/a /to/a", "copy /docs/a /to/a rename"]);
  assert.deepEqual(files.news, ["1 item copied"]);
});

Deno.test("what fails is told once for each reason, and the rest is done", async () => {
  const refuse = ({ method, path }: Heard) => {
    if (method !== "PATCH" || path.endsWith("c")) return null;
    return new Response(null, { status: path.endsWith("d") ? 507 : 403 });
  };
  await using files = desk(["a", "b", "c", "d"], {}, refuse);
  const paths = ["a", "b", "c", "d"].map((name) => at(`/docs/${name}`));
  await files.actions.drop("move", paths, at("/to"));
  assert.deepEqual(files.news, ["1 item moved"]);
  assert.deepEqual(errorsOf(files).sort(), [
    "Couldn’t move 2 items. You don’t have permissions to access this." +
    " If you need access, ask an administrator.",
    "Couldn’t move “d”. The disk is full. Free up some space, then try again.",
  ]);
});

Deno.test("a copy pasted beside its original keeps both, and can be pasted again", async () => {
  await using files = desk(["a"]);
  files.listing.selection.click(0);
  void files.actions.clip("copy");
  await files.actions.paste();
  await files.actions.paste();
  assert.deepEqual(patches(files), Array(2).fill("copy /docs/a /docs/a rename"));
  assert.equal(files.prompts.current.value, null);
});

Deno.test("what is copied is what was selected at the press, whatever is selected next", async () => {
  await using files = desk(["a", "b"], { "/to": [] });
  files.listing.selection.click(0);
  const copied = files.actions.clip("copy");
  files.listing.selection.only(1);
  await copied;
  await files.listing.open(at("/to"));
  await files.actions.paste();
  assert.deepEqual(patches(files), ["copy /docs/a /to/a"]);
});

Deno.test("what was cut looks it where it lies, and is pasted once", async () => {
  await using files = desk(["a", "b"], { "/to": [] });
  files.listing.selection.click(1);
  await files.actions.clip("move");
  assert.deepEqual(files.clipboard.cutIn(at("/docs")), new Set(["b"]));
  assert.equal(files.clipboard.cutIn(at("/to")), null);
  await files.listing.open(at("/to"));
  await files.actions.paste();
  await files.actions.paste();
  assert.deepEqual(patches(files), ["rename /docs/b /to/b"]);
  assert.equal(files.clipboard.now.value, null);
});

Deno.test("what has arrived in the folder on screen is selected by the name that it got", async () => {
  const numbered = ({ method }: Heard) => {
    if (method !== "PATCH") return null;
    return new Response("OK", { headers: { "content-location": "/api/resources/docs/a(1)" } });
  };
  await using files = desk(["a", "a(1)"], {}, numbered);
  await files.actions.drop("copy", [at("/docs/a")], at("/docs"));
  assert.deepEqual(files.listing.selection.snapshot().names, ["a(1)"]);
});

Deno.test("what takes long can be stopped, and the server hears of it", async () => {
  const stopped = Promise.withResolvers<Response>();
  const slow = ({ method }: Heard, { signal }: Request) => {
    if (method !== "PATCH") return null;
    signal.addEventListener("abort", () => stopped.resolve(new Response()));
    return stopped.promise;
  };
  await using files = desk(["a", "b"], {}, slow);
  const copying = files.actions.drop("copy", [at("/docs/a"), at("/docs/b")], at("/to"));
  await until(() => files.tasks.shown.value.length === 1);
  files.tasks.shown.value[0]?.cancel();
  await stopped.promise;
  await copying;
  assert.deepEqual(files.news, ["Stopped: 0 of 2 done"]);
  assert.deepEqual(errorsOf(files), []);
});
