import assert from "node:assert/strict";
import { parsePath, ROOT } from "../../../../../lib/shared/path.ts";
import { success } from "../../../../../lib/shared/result.ts";
import { MOST_HITS } from "../../../../../lib/client/screens/search/hits.ts";
import { Search, STEP } from "../../../../../lib/client/screens/search/search.ts";
import { type Heard, speakTo, type Spoken, until } from "../../support.ts";

const photos = parsePath("/photos").path;

function linesOf(count: number, name = "hit"): string {
  return Array.from({ length: count }, (_, index) => `{"path":"${name} ${index}","dir":false}\n`)
    .join("");
}

/** A search in /photos, on a server that answers so. */
function searching(
  answer: (heard: Heard, request: Request) => Response | Promise<Response>,
): Spoken & { search: Search } {
  const spoken = speakTo(answer);
  return Object.assign(spoken, { search: new Search({ api: spoken.api, here: photos }) });
}

const ended = ({ search }: { search: Search }) =>
  until(() => !["searching", "idle"].includes(search.status.value));

Deno.test("nothing is asked for while there is nothing, or too little, to look for", async () => {
  await using spoken = searching(() => new Response(""));
  const { search } = spoken;
  assert.equal(search.status.value, "idle");
  search.type("a");
  assert.equal(search.status.value, "short");
  search.type("  ");
  assert.equal(search.status.value, "idle");
  assert.equal(spoken.heard.length, 0);
});

Deno.test("a word that is being typed is asked for once, in the folder and in lines", async () => {
  await using spoken = searching(() => new Response(linesOf(2)));
  const { search } = spoken;
  for (const text of ["ph", "pho", "phot", "photo"]) search.type(text);
  assert.equal(search.status.value, "searching");
  await ended(spoken);
  const [heard, ...others] = spoken.heard;
  assert.equal(others.length, 0);
  assert.equal(heard?.path, "/api/search/photos");
  assert.equal(heard?.query.get("query"), "photo");
  assert.equal(heard?.query.get("details"), "true");
  assert.match(heard?.headers.get("accept") ?? "", /application\/x-ndjson/);
  assert.equal(search.found.value.count, 2);
  assert.deepEqual(search.pathOf(1), { path: "/photos/hit 1", folder: false, line: undefined });
});

Deno.test("kinds alone are enough, and another place is asked at once", async () => {
  await using spoken = searching(() => new Response(""));
  const { search } = spoken;
  search.toggleType("image");
  await ended(spoken);
  search.stayHere(true);
  await ended(spoken);
  search.toggleType("image");
  assert.equal(search.status.value, "idle");
  assert.deepEqual(
    spoken.heard.map(({ path, query }) => `${path} ${query.get("elsewhere")}`),
    ["/api/search/photos true", "/api/search/photos null"],
  );
});

Deno.test("results of the open folder come before those elsewhere, whatever comes first", async () => {
  const lines = ["/photo.txt", "my photo.txt", "/deep/photo", "photo 2"]
    .map((path) => `${JSON.stringify({ path, dir: false })}\n`);
  await using spoken = searching(() => new Response(lines.join("")));
  const { search } = spoken;
  search.type("photo");
  await ended(spoken);
  const paths = [0, 1, 2, 3].map((index) => search.pathOf(index)?.path);
  assert.deepEqual(paths, ["/photos/photo 2", "/photos/my photo.txt", "/deep/photo", "/photo.txt"]);
});

Deno.test("results are shown before the last has come, and a new question gives up the rest", async () => {
  let gone = false;
  const endless = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(linesOf(3, "old"))),
      cancel: () => {
        gone = true;
      },
    });
  await using spoken = searching(({ query }) =>
    new Response(query.get("query") === "old" ? endless() : linesOf(1, "new"))
  );
  const { search } = spoken;
  search.type("old");
  await until(() => search.found.value.count === 3);
  assert.equal(search.status.value, "searching");
  assert.notEqual(search.pathOf(0), null);
  search.type("new");
  assert.equal(search.found.value.count, 3, "the former results stay until new ones come");
  assert.equal(search.pathOf(0), null, "but can't be taken for the new ones");
  await ended(spoken);
  assert.deepEqual(search.found.value.hits.map(({ path }) => path), ["new 0"]);
  await until(() => gone);
});

Deno.test("results are offered 50 at a time, and as far as the keyboard goes", async () => {
  await using spoken = searching(() => new Response(linesOf(1_234)));
  const { search } = spoken;
  search.type("hit");
  await ended(spoken);
  assert.equal(search.found.value.count, 1_234);
  assert.equal(search.shown.value, STEP);
  search.more();
  assert.equal(search.shown.value, 2 * STEP);
  search.step(-1);
  assert.equal(search.at.value, 0);
  search.step(Infinity);
  assert.equal(search.at.value, 1_233);
  assert.ok(search.shown.value >= 1_234);
  search.type("hits");
  await ended(spoken);
  assert.equal(search.at.value, 0);
  assert.equal(search.shown.value, STEP);
});

Deno.test("a refusal is told, and asked again when that is wanted", async () => {
  let refuses = true;
  await using spoken = searching(() =>
    refuses
      ? Response.json({ code: "forbidden", message: "no" }, { status: 403 })
      : new Response(linesOf(1))
  );
  const { search } = spoken;
  search.type("photo");
  await ended(spoken);
  assert.equal(search.status.value, "failed");
  assert.equal(search.failure.value?.code, "forbidden");
  refuses = false;
  search.again();
  await ended(spoken);
  assert.equal(search.status.value, "done");
  assert.equal(search.failure.value, null);
});

Deno.test("what was found before an answer broke off stays, with the failure", async () => {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  const answer = Promise.resolve(success(new Response(readable)));
  const search = new Search({ api: { search: () => answer }, here: photos });
  search.type("hit");
  void writer.write(new TextEncoder().encode(linesOf(5)));
  await until(() => search.found.value.count === 5);
  await writer.abort(new TypeError("broken off"));
  await ended({ search });
  assert.equal(search.status.value, "failed");
  assert.equal(search.failure.value?.code, "offline");
  assert.equal(search.found.value.count, 5);
});

Deno.test("of more results than anybody looks through all are counted, and the best kept", async () => {
  const last = '{"path":"deep/hit","dir":false}\n';
  await using spoken = searching(() => new Response(linesOf(3 * MOST_HITS, "a hit") + last));
  const { search } = spoken;
  search.type("hit");
  await ended(spoken);
  assert.equal(search.found.value.count, 3 * MOST_HITS + 1);
  assert.equal(search.found.value.hits.length, MOST_HITS);
  assert.deepEqual(search.pathOf(0), { path: "/photos/deep/hit", folder: false, line: undefined });
  search.close();
});

Deno.test("another order asks again only when not all results are kept", async () => {
  let count = 3;
  await using spoken = searching(() => new Response(linesOf(count)));
  const { search } = spoken;
  search.type("hit");
  await ended(spoken);
  search.sort("size");
  assert.equal(search.status.value, "done");
  assert.equal(search.sent.value?.order, "size");
  assert.equal(spoken.heard.length, 1);
  count = MOST_HITS + 1;
  search.again();
  await ended(spoken);
  search.sort("name");
  await ended(spoken);
  assert.equal(spoken.heard.length, 3);
});

Deno.test("the cursor stays on its result while better ones come", async () => {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  const search = new Search({
    api: { search: () => Promise.resolve(success(new Response(readable))) },
    here: photos,
  });
  search.type("hit");
  void writer.write(new TextEncoder().encode(linesOf(2, "a hit")));
  await until(() => search.found.value.count === 2);
  search.step(1);
  search.toggle(1);
  void writer.write(new TextEncoder().encode(linesOf(1, "hit")));
  await writer.close();
  await ended({ search });
  assert.equal(search.at.value, 2);
  assert.deepEqual(search.chosenHits().map(({ path }) => path), ["a hit 1"]);
});

Deno.test("the cursor stays while the results of a repeated search come one by one", async () => {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
  const answers = [new Response(linesOf(2)), new Response(readable)];
  const search = new Search({
    api: { search: () => Promise.resolve(success(answers.shift() ?? new Response(""))) },
    here: photos,
  });
  search.type("hit");
  await ended({ search });
  search.step(1);
  search.again();
  const writer = writable.getWriter();
  for (const line of linesOf(2).match(/.*\n/g) ?? []) {
    await writer.write(new TextEncoder().encode(line));
  }
  await writer.close();
  await ended({ search });
  assert.equal(search.found.value.count, 2);
  assert.equal(search.at.value, 1);
  search.close();
});

Deno.test("a repeated search keeps what is selected and still there, another one nothing", async () => {
  let count = 3;
  await using spoken = searching(() => new Response(linesOf(count)));
  const { search } = spoken;
  search.type("hit");
  await ended(spoken);
  search.chooseAll(true);
  search.step(Infinity);
  count = 2;
  search.again();
  await ended(spoken);
  assert.deepEqual([...search.chosen.value], ["hit 0", "hit 1"]);
  assert.equal(search.at.value, 1);
  search.narrow({ age: "7d" });
  assert.equal(search.chosen.value.size, 0);
  await ended(spoken);
});

Deno.test("dates that the server has not read yet are asked for again, while some are read", async () => {
  const unread = [300, 100, 100, 50];
  await using spoken = searching(() => new Response(`${linesOf(3)}{"unread":${unread.shift()}}\n`));
  const { search } = spoken;
  search.narrow({ age: "7d" });
  await until(() => search.unread.value === 300);
  assert.equal(search.found.value.count, 3);
  assert.equal(spoken.heard[0]?.query.get("media"), "true");
  search.moveTo(2);
  await until(() => spoken.heard.length === 3 && search.status.value === "done");
  assert.equal(search.unread.value, 100);
  assert.equal(search.at.value, 2);
  search.narrow({ age: "" });
  assert.equal(search.unread.value, 0);
  assert.equal(search.status.value, "idle");
  assert.deepEqual(unread, [50]);
});

Deno.test("by date, pictures stand where they were taken", async () => {
  const hits = [
    { path: "file", modified: "2024-06-01T00:00:00Z" },
    { path: "photo 1", modified: "2026-01-01T00:00:00Z", taken: "2023-01-01T00:00:00" },
    { path: "photo 2", modified: "2020-01-01T00:00:00Z", taken: "2025-01-01T00:00:00Z" },
  ];
  await using spoken = searching(() =>
    new Response(hits.map((hit) => `${JSON.stringify({ ...hit, dir: false })}\n`).join(""))
  );
  const { search } = spoken;
  search.type("o");
  search.type("photo");
  await ended(spoken);
  assert.equal(spoken.heard[0]?.query.get("media"), null);
  search.sort("modified");
  await until(() => spoken.heard.length === 2 && search.status.value === "done");
  assert.equal(spoken.heard[1]?.query.get("media"), "true");
  assert.deepEqual(search.found.value.hits.map(({ path }) => path), ["photo 2", "file", "photo 1"]);
});

Deno.test("a closed search hears no more", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using spoken = searching(async () => {
    await promise;
    return new Response(linesOf(1));
  });
  const { search } = spoken;
  search.type("photo");
  await until(() => spoken.heard.length === 1);
  search.close();
  resolve();
  await spoken.api.usage(ROOT);
  assert.equal(search.found.value.count, 0);
});
