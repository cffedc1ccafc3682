import assert from "node:assert/strict";
import { parsePath } from "../../../lib/shared/path.ts";
import type { Choice, ReplaceQuestion } from "../../../lib/client/base/prompts/prompts.ts";
import type { Prompts } from "../../../lib/client/base/prompts/prompts.ts";
import { JobsApi } from "../../../lib/client/base/api/jobs_api.ts";
import { askedOf, deleteSelected, errorsOf, setUp } from "./files_page/actions/fixture.ts";
import { fileNamed, manyNames, until } from "./support.ts";

const at = (text: string) => parsePath(text).path;

function question({ prompts }: { prompts: Prompts }): ReplaceQuestion | null {
  const prompt = prompts.current.peek();
  return prompt?.kind === "replace" ? prompt.input : null;
}

Deno.test("nothing is moved into itself, or to where it is", async () => {
  await using files = setUp(["a"]);
  await files.actions.drop("move", [at("/docs/a")], at("/docs"));
  await files.actions.drop("move", [at("/x")], at("/x/y"));
  assert.deepEqual(askedOf(files), []);
  assert.deepEqual(errorsOf(files), [
    "Couldn’t move “x”. A folder can’t be moved or copied into itself.",
  ]);
});

Deno.test("taken names are asked about before anything is done, each for itself", async () => {
  await using files = setUp(["a", "b", "c", "d"], { there: { "/to": ["a", "b", "c"] } });
  const paths = ["a", "b", "c", "d"].map((name) => at(`/docs/${name}`));
  const moving = files.actions.drop("move", paths, at("/to"));
  await until(() => files.prompts.current.value !== null);
  assert.deepEqual(question(files)?.conflicts.map(({ name }) => name), ["a", "b", "c"]);
  assert.deepEqual(askedOf(files), []);
  const choices: [string, Choice][] = [["a", "replace"], ["b", "keep"], ["c", "skip"]];
  files.prompts.answer("replace", new Map(choices));
  await moving;
  assert.deepEqual(askedOf(files), [
    "move /docs/a /to/a override",
    "move /docs/b /to/b rename",
    "move /docs/d /to/d",
  ]);
  assert.deepEqual(files.news, ["3 items moved"]);
});

Deno.test("closing the question does nothing at all", async () => {
  await using files = setUp(["a", "b"], { there: { "/to": ["a"] } });
  const copying = files.actions.drop("copy", [at("/docs/a"), at("/docs/b")], at("/to"));
  await until(() => files.prompts.current.value !== null);
  files.prompts.close();
  await copying;
  assert.deepEqual(askedOf(files), []);
});

Deno.test("a name found taken on arrival is asked about then, and tried again", async () => {
  await using files = setUp(["a"], { refuse: (_, __, entry) => entry?.rename ? null : "exists" });
  const copying = files.actions.drop("copy", [at("/docs/a")], at("/to"));
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("replace", new Map([["a", "keep"]]));
  await copying;
  assert.deepEqual(files.jobs.asked, [["copy /docs/a /to/a"], ["copy /docs/a /to/a rename"]]);
  assert.deepEqual([files.news, errorsOf(files)], [["1 item copied"], []]);
});

Deno.test("names found taken on arrival are asked about once, and left when that is closed", async () => {
  const refuse = (_: string, path: string) => /[bc]$/.test(path) ? "exists" : null;
  await using files = setUp(["a", "b", "c"], { refuse });
  const paths = ["a", "b", "c"].map((name) => at(`/docs/${name}`));
  const moving = files.actions.drop("move", paths, at("/to"));
  await until(() => files.prompts.current.value !== null);
  assert.deepEqual(question(files)?.conflicts.map(({ name }) => name), ["b", "c"]);
  files.prompts.close();
  await moving;
  assert.equal(files.jobs.asked.length, 1);
  assert.deepEqual([files.news, errorsOf(files)], [["1 item moved"], []]);
});

Deno.test("what fails is told once for each reason, and the rest is done", async () => {
  const refuse = (_: string, path: string) =>
    path.endsWith("c") ? null : path.endsWith("d") ? "disk_full" : "forbidden";
  await using files = setUp(["a", "b", "c", "d"], { refuse });
  const paths = ["a", "b", "c", "d"].map((name) => at(`/docs/${name}`));
  await files.actions.drop("move", paths, at("/to"));
  assert.deepEqual(files.news, ["1 item moved"]);
  assert.deepEqual(errorsOf(files).sort(), [
    "Couldn’t move 2 items. You don’t have permissions to access this." +
    " If you need access, ask an administrator.",
    "Couldn’t move “d”. The disk is full. Free up some space, then try again.",
  ]);
});

Deno.test("a job that is refused as a whole concerns all but what is to be skipped", async () => {
  await using files = setUp(["a", "b", "c"], { there: { "/to": ["a"] } });
  files.jobs.fault = 507;
  const paths = ["a", "b", "c"].map((name) => at(`/docs/${name}`));
  const copying = files.actions.drop("copy", paths, at("/to"));
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("replace", new Map([["a", "skip"]]));
  await copying;
  assert.deepEqual(errorsOf(files), [
    "Couldn’t copy 2 items. The disk is full. Free up some space, then try again.",
  ]);
});

Deno.test("how many failed is told for 100,000 entries, too", async () => {
  await using files = setUp([], { refuse: () => "forbidden" });
  files.jobs.fault = 403;
  const paths = manyNames(100_000).map((name) => at(`/docs/${name}`));
  await files.actions.drop("copy", paths, at("/to"));
  assert.match(errorsOf(files)[0] ?? "", /^Couldn’t copy 100,000 items\./);
});

Deno.test("a copy pasted beside its original keeps both, and can be pasted again", async () => {
  await using files = setUp(["a"]);
  files.listing.selection.click(0);
  void files.actions.clip("copy");
  await files.actions.paste();
  await files.actions.paste();
  assert.deepEqual(askedOf(files), Array(2).fill("copy /docs/a /docs/a rename"));
  assert.equal(files.prompts.current.value, null);
});

Deno.test("what is copied is what was selected at the press, whatever is selected next", async () => {
  await using files = setUp(["a", "b"], { there: { "/to": [] } });
  files.listing.selection.click(0);
  const copied = files.actions.clip("copy");
  files.listing.selection.only(1);
  await copied;
  await files.listing.open(at("/to"));
  await files.actions.paste();
  assert.deepEqual(askedOf(files), ["copy /docs/a /to/a"]);
});

Deno.test("what was cut looks it where it lies, and is pasted once", async () => {
  await using files = setUp(["a", "b"], { there: { "/to": [] } });
  files.listing.selection.click(1);
  await files.actions.clip("move");
  assert.deepEqual(files.clipboard.cutIn(at("/docs")), new Set(["b"]));
  assert.equal(files.clipboard.cutIn(at("/to")), null);
  await files.listing.open(at("/to"));
  await files.actions.paste();
  await files.actions.paste();
  assert.deepEqual(askedOf(files), ["move /docs/b /to/b"]);
  assert.equal(files.clipboard.now.value, null);
});

Deno.test("what has arrived in the folder on screen is selected by the name that it got", async () => {
  await using files = setUp(["a"]);
  await files.actions.drop("copy", [at("/docs/a")], at("/docs"));
  assert.deepEqual(files.listing.selection.snapshot().names, ["a(1)"]);
});

Deno.test("what takes long can be stopped, and what it has done is told", async () => {
  await using files = setUp(["a", "b", "c"]);
  files.jobs.isSlow = true;
  const copying = files.actions.drop("copy", [at("/docs/a"), at("/docs/b")], at("/to"));
  await until(() => files.tasks.shown.value.length === 1);
  files.jobs.advance();
  const [job] = files.tasks.shown.value;
  await new JobsApi(files.api.calls).change(job?.id ?? "", "cancelled");
  await copying;
  assert.deepEqual(files.news, ["Stopped: 1 of 2 done"]);
  assert.deepEqual([errorsOf(files), files.tasks.shown.value], [[], []]);
});

Deno.test("a deletion that is stopped tells so, too", async () => {
  await using files = setUp(["a", "b", "c"]);
  files.jobs.isSlow = true;
  files.listing.selection.all();
  const deleting = deleteSelected(files);
  await until(() => files.tasks.shown.value.length === 1);
  files.jobs.advance(2);
  const [job] = files.tasks.shown.value;
  await new JobsApi(files.api.calls).change(job?.id ?? "", "cancelled");
  await deleting;
  assert.deepEqual(files.news, ["Stopped: 2 of 3 done"]);
  assert.deepEqual(errorsOf(files), []);
  assert.equal(files.listing.rows.value.total, 1);
});

Deno.test("a deletion that is stopped leaves the file on screen, a new name the former", async () => {
  await using files = setUp(["a"]);
  const { actions, jobs, prompts, tasks } = files;
  jobs.isSlow = true;
  const stop = async () => {
    await until(() => tasks.shown.value.length === 1);
    const [job] = tasks.shown.value;
    await new JobsApi(files.api.calls).change(job?.id ?? "", "cancelled");
  };
  files.listing.expect({ ...fileNamed("a", "/docs"), type: "image" });
  await files.listing.open(at("/docs/a"));
  await Promise.all([deleteSelected(files), stop()]);
  const renaming = actions.rename();
  await until(() => prompts.current.value !== null);
  prompts.answer("rename", "b");
  await Promise.all([renaming, stop()]);
  assert.deepEqual(files.news, Array(2).fill("Stopped: 0 of 1 done"));
  assert.deepEqual([files.went, errorsOf(files)], [[], []]);
});
