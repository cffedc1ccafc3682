import assert from "node:assert/strict";
import { ROOT } from "../../../../../lib/shared/path.ts";
import type { SentFile } from "../../../../../lib/shared/schemas/upload.ts";
import { Api } from "../../../../../lib/client/base/api/api.ts";
import type { ApiPath } from "../../../../../lib/client/base/api/api_path.ts";
import { Connection } from "../../../../../lib/client/base/api/connection.ts";
import { Uploads } from "../../../../../lib/client/files_page/uploads/uploads.ts";
import { pause, until } from "../../support.ts";
import { FakeRequest, fakeRequests } from "../../xhr.ts";
import { type Bench, bench, files, photos, receivedFiles, there } from "./uploads_bench.ts";

/** The names of so many small files in a folder. */
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `trip/${String(index).padStart(3, "0")}.txt`);

/** What the list of a request says of its files. */
async function listOf({ body }: FakeRequest): Promise<SentFile[]> {
  const [list = ""] = (await body?.text() ?? "").split("\n");
  return JSON.parse(list).files;
}

const together = () => FakeRequest.sent.filter(({ url }) => url.includes("/api/uploads/"));

/** Answers all requests until the queue is empty. */
async function answerAll(fixture: Bench, outcomes = 1): Promise<void> {
  while (fixture.outcomes.length < outcomes) {
    for (const request of FakeRequest.waiting) request.answer(200, receivedFiles(100));
    await until(() => FakeRequest.waiting.length > 0 || fixture.outcomes.length === outcomes);
  }
}

function reachable(fixture: Bench): Uploads {
  const connection = new Connection(() => Promise.resolve(true));
  const { api, session } = fixture;
  const baseUrl = api.address("" as ApiPath);
  return new Uploads({
    ...fixture.options,
    api: new Api({ baseUrl, session, connection, resumes: true }),
  });
}

Deno.test("many small files travel together, in at most five requests at a time", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  fixture.known = there();
  const large = { segments: ["large"], file: new File([new Uint8Array(100_000)], "large") };
  await fixture.uploads.add(photos, [large, ...files(...names(300))]);
  assert.equal(FakeRequest.waiting.length, 5);
  const [alone, first] = FakeRequest.sent;
  assert.match(alone?.url ?? "", /\/api\/resources\/photos\/large\?/);
  assert.match(first?.url ?? "", /\/api\/uploads\/photos\?job=[\w-]{8,64}$/);
  const list = first ? await listOf(first) : [];
  assert.deepEqual(list[0], { path: "trip/000.txt", size: 10, override: false, resent: false });
  const text = await first?.body?.text() ?? "";
  assert.equal(text.length, text.indexOf("\n") + 1 + 10 * list.length);
  let most = 0;
  while (fixture.outcomes.length === 0) {
    most = Math.max(most, FakeRequest.waiting.length);
    FakeRequest.waiting[0]?.answer(200, receivedFiles(100));
    await pause(0);
  }
  assert.equal(most, 5);
  assert.equal(fixture.outcomes[0]?.done, 301);
  const sent = (await Promise.all(together().map(listOf))).flat().map(({ path }) => path);
  assert.equal(new Set(sent).size, sent.length);
  assert.ok(FakeRequest.sent.length < 60, `${FakeRequest.sent.length} requests`);
});

Deno.test("each of the files has its own answer, and its own progress", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  fixture.known = there();
  await fixture.uploads.add(ROOT, files(...names(50)));
  const [first] = together();
  const count = first ? (await listOf(first)).length : 0;
  const head = (await first?.body?.text() ?? "").indexOf("\n") + 1;
  first?.progress(head + 15);
  const percentOf = (name: string) =>
    fixture.uploads.now.value.rows.find((row) => row.name === name)?.percent;
  await until(() => percentOf("001.txt") === 50);
  assert.deepEqual([percentOf("000.txt"), percentOf("002.txt")], [100, 0]);
  first?.answer(
    200,
    receivedFiles(count, {
      0: { status: 403, code: "forbidden", message: "Cannot write it: a rule" },
      1: { status: 409, code: "exists", message: "Cannot write it: the name is taken" },
    }),
  );
  await until(() => fixture.prompts.current.value !== null);
  await until(() => fixture.uploads.now.value.failed === 1);
  const { rows } = fixture.uploads.now.value;
  assert.equal(rows.find(({ failure }) => failure)?.failure?.code, "forbidden");
  fixture.prompts.answer("replace", new Map([["trip/001.txt", "replace"]]));
  await answerAll(fixture);
  const again = (await Promise.all(together().map(listOf))).flat();
  const alone = FakeRequest.sent.filter(({ url }) => url.includes("/001.txt?override=true"));
  const replaced = again.filter(({ path, override }) => path === "trip/001.txt" && override);
  assert.equal(alone.length + replaced.length, 1);
  assert.equal(fixture.outcomes[0]?.done, 49);
});

Deno.test("files whose answer was lost are sent again as such, one by one", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  fixture.known = there();
  const uploads = reachable(fixture);
  await uploads.add(ROOT, files(...names(50)));
  const [first] = together();
  const lost = first ? await listOf(first) : [];
  assert.ok(lost.length > 1);
  first?.lose();
  await until(() => uploads.now.value.paused === null);
  await answerAll(fixture);
  assert.equal(fixture.outcomes[0]?.done, 50);
  const lists = await Promise.all(together().slice(1).map(listOf));
  const again = lists.filter((list) => list.some(({ resent }) => resent));
  assert.deepEqual(again.flat().map(({ path }) => path), lost.map(({ path }) => path));
  assert.ok(again.every((list) => list.length === 1));
});

const timeout = JSON.stringify({ code: "disk_timeout", message: "Cannot reach it" });

for (
  const [by, status, body] of [["a proxy", 413, "too large"], [
    "a hung disk",
    504,
    timeout,
  ]] as const
) {
  Deno.test(`files that ${by} refuses together are sent one by one, and those after them`, () =>
    sentAlone({ status, body }));
}

async function sentAlone(refusal: { status: number; body: string }): Promise<void> {
  using _ = fakeRequests(({ url }) => url.includes("/api/uploads/") ? refusal : { status: 200 });
  await using fixture = bench();
  fixture.known = there();
  await fixture.uploads.add(ROOT, files(...names(200)));
  await until(() => fixture.outcomes.length === 1);
  assert.equal(fixture.outcomes[0]?.done, 200);
  assert.equal(fixture.outcomes[0]?.failed, 0);
  assert.ok(together().length <= 5, `${together().length} requests for many`);
  const alone = FakeRequest.sent.filter(({ url }) => url.includes("/api/resources/"));
  assert.equal(new Set(alone.map(({ url }) => url)).size, 200);
  assert.equal(alone.length, 200);
}

Deno.test("to cancel one of them sends the others again", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  fixture.known = there();
  await fixture.uploads.add(ROOT, files(...names(50)));
  const [first] = together();
  const cut = first ? await listOf(first) : [];
  const [row] = fixture.uploads.now.value.rows;
  fixture.uploads.queue?.cancel(row?.id ?? 0);
  assert.equal(first?.state, "aborted");
  await answerAll(fixture);
  assert.equal(fixture.outcomes[0]?.done, 49);
  const lists = (await Promise.all(together().slice(1).map(listOf))).flat();
  const again = lists.filter(({ resent }) => resent).map(({ path }) => path).sort();
  assert.deepEqual(again, cut.slice(1).map(({ path }) => path));
});

Deno.test("to cancel all and take it back sends each of them once more", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  fixture.known = there();
  await fixture.uploads.add(ROOT, files(...names(50)));
  const { count, resume } = fixture.uploads.queue?.cancelAll() ?? {};
  assert.equal(count, 50);
  resume?.();
  await until(() => fixture.uploads.now.value.phase === "busy" && FakeRequest.waiting.length > 0);
  await answerAll(fixture, fixture.outcomes.length + 1);
  assert.equal(fixture.outcomes.at(-1)?.done, 50);
  assert.equal(fixture.uploads.now.value.phase, "idle");
});

Deno.test("a file that can't be read keeps none of those that go with it", async () => {
  using _ = fakeRequests();
  await using fixture = bench();
  fixture.known = there();
  const uploads = reachable(fixture);
  const incoming = files(...names(50));
  const gone = incoming[1]?.file;
  assert.ok(gone);
  gone.slice = () => {
    const nothing = new Blob();
    nothing.arrayBuffer = () => Promise.reject(new DOMException("", "NotReadableError"));
    return nothing;
  };
  await uploads.add(ROOT, incoming);
  together()[0]?.lose();
  await until(() => uploads.now.value.failed === 1);
  assert.equal(uploads.now.value.paused, null);
  await answerAll(fixture);
  assert.equal(fixture.outcomes[0]?.done, 49);
  const failed = uploads.now.value.rows.filter(({ failure }) => failure);
  assert.deepEqual(failed.map(({ failure }) => failure?.code), ["unreadable"]);
});
