import assert from "node:assert/strict";
import { effect } from "@preact/signals";
import { type EntryPath, parsePath, ROOT } from "../../../../lib/shared/path.ts";
import { Api } from "../../../../lib/client/api/api.ts";
import type { ApiPath } from "../../../../lib/client/api/api_path.ts";
import { Connection } from "../../../../lib/client/api/connection.ts";
import {
  canReplace,
  type Choice,
  type Choices,
  type There,
} from "../../../../lib/client/actions/conflicts.ts";
import type { Incoming } from "../../../../lib/client/drag/dropped.ts";
import { LazyUploads } from "../../../../lib/client/uploads/lazy_uploads.ts";
import { Prompts } from "../../../../lib/client/prompts/prompts.ts";
import type { UploadsOutcome } from "../../../../lib/client/uploads/upload_queue.ts";
import { Uploads } from "../../../../lib/client/uploads/uploads.ts";
import type { UploadsOptions } from "../../../../lib/client/uploads/lazy_uploads.ts";
import { ada, type Heard, pause, speakTo, type Spoken, tokenFor, until } from "../support.ts";
import { FakeRequest, fakeRequests } from "../xhr.ts";

const photos = parsePath("/photos").path;

/** A window of which only the warning is of interest. */
class Leavable extends EventTarget {
  /** Whether the browser would ask before it leaves the page. */
  get warns(): boolean {
    return !this.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  }
}

interface Bench extends Spoken {
  options: UploadsOptions;
  uploads: LazyUploads;
  prompts: Prompts;
  window: Leavable;
  outcomes: UploadsOutcome[];
  known: There | null;
}

/** An upload queue before a server on which nothing is taken, unless `answer` says otherwise. */
function bench(answer: (heard: Heard) => number = ({ method }) => method === "HEAD" ? 404 : 200) {
  const spoken = speakTo((heard) => new Response(null, { status: answer(heard) }));
  const prompts = new Prompts();
  const window = new Leavable();
  const outcomes: UploadsOutcome[] = [];
  const state: { known: There | null } = { known: null };
  const options = {
    api: spoken.api,
    prompts,
    mayReplace: () => true,
    parts: { chunkSize: 10 * 2 ** 20, retryCount: 5 },
    userId: () => 1,
    keepsModified: () => false,
    entriesIn: () => state.known,
    onUnloadable: () => assert.fail("Cannot load what uploading takes"),
    onSettled: (outcome: UploadsOutcome) => void outcomes.push(outcome),
    window,
  };
  const uploads = new LazyUploads(options);
  return Object.assign(state, spoken, { options, uploads, prompts, window, outcomes }) as Bench;
}

/** An API of a page that lets its user sign in again. */
function resuming({ api, session }: Bench, connection?: Connection): Api {
  return new Api({ baseUrl: api.address("" as ApiPath), session, connection, resumes: true });
}

function files(...names: string[]): Incoming[] {
  return names.map((name) => ({ segments: name.split("/"), file: new File(["0123456789"], name) }));
}

const there = (...names: string[]): There => new Map(names.map((name) => [name, null]));

const all = (choice: Choice, ...names: string[]): Choices =>
  new Map(names.map((name) => [name, choice]));

function askedAbout({ prompts }: Bench): string[] {
  const prompt = prompts.current.value;
  return prompt?.kind === "replace" ? prompt.input.conflicts.map(({ name }) => name) : [];
}

/** The addresses without the job's id, which is in each of them. */
const urlsOf = (requests: FakeRequest[]) =>
  requests.map(({ url }) => {
    const { pathname, searchParams } = new URL(url);
    assert.match(searchParams.get("job") ?? "", /^[\w-]{8,64}$/);
    searchParams.delete("job");
    return `${pathname}?${searchParams}`;
  });

const jobsOf = (requests: FakeRequest[]) =>
  new Set(requests.map(({ url }) => new URL(url).searchParams.get("job") ?? ""));

Deno.test("uploads travel five at a time, in order, with the token", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  await desk.uploads.add(photos, files(...names));
  assert.equal(FakeRequest.sent.length, 5);
  assert.deepEqual(urlsOf(FakeRequest.sent.slice(0, 1)), [
    "/api/resources/photos/a?override=false",
  ]);
  assert.equal(FakeRequest.sent[0]?.method, "POST");
  assert.equal(FakeRequest.sent[0]?.headers.get("x-auth"), tokenFor(ada));
  FakeRequest.sent[2]?.answer(200);
  await until(() => FakeRequest.sent.length === 6);
  assert.equal(FakeRequest.waiting.length, 5);
  while (FakeRequest.waiting.length > 0) {
    FakeRequest.waiting.forEach((request) => request.answer(200));
    await pause(0);
  }
  const [job = ""] = jobsOf(FakeRequest.sent);
  const arrived = new Map([[photos, new Set(names)]]);
  assert.deepEqual(desk.outcomes, [{ done: 7, failed: 0, arrived, job }]);
  assert.equal(desk.uploads.now.value.phase, "idle");
  assert.deepEqual(desk.uploads.now.value.finished, { count: 7, arrived, job });
  desk.uploads.queue?.dismiss();
  assert.equal(desk.uploads.now.value.finished, null);
});

Deno.test("leaving the page is warned against exactly while uploads are under way", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  assert.ok(!desk.window.warns);
  await desk.uploads.add(ROOT, files("a"));
  assert.ok(desk.window.warns);
  FakeRequest.sent[0]?.answer(200);
  await until(() => desk.outcomes.length === 1);
  assert.ok(!desk.window.warns);
});

Deno.test("folders are made by a call of their own, with a trailing slash", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using desk = bench();
  await desk.uploads.add(photos, [
    { segments: ["album"], file: null },
    ...files("album/sea.jpg"),
  ]);
  await until(() => desk.outcomes.length === 1);
  const made = desk.heard.filter(({ method }) => method === "POST").map(({ target }) => target);
  assert.deepEqual(made, [`/api/resources/photos/album/?job=${desk.outcomes[0]?.job}`]);
  assert.deepEqual(urlsOf(FakeRequest.sent), [
    "/api/resources/photos/album/sea.jpg?override=false",
  ]);
});

Deno.test("progress is told at most every 100 ms, in percent rounded up", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  await desk.uploads.add(ROOT, files("a", "b", "c"));
  let changes = 0;
  const stop = effect(() => {
    void desk.uploads.now.value;
    changes++;
  });
  for (let step = 0; step <= 1000; step++) FakeRequest.sent[0]?.progress(step / 1000);
  assert.ok(changes <= 2, `${changes} changes`);
  await until(() => desk.uploads.now.value.percent === 4);
  assert.equal(desk.uploads.now.value.rows[0]?.percent, 10);
  FakeRequest.waiting.forEach((request) => request.answer(200));
  await until(() => desk.outcomes.length === 1);
  stop();
});

Deno.test("a taken name is asked about before anything is sent", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using desk = bench();
  desk.known = there("a", "album");
  const adding = desk.uploads.add(ROOT, files("a", "b", "album/1", "album/2"));
  await until(() => desk.prompts.current.value !== null);
  assert.deepEqual(askedAbout(desk), ["a", "album"]);
  assert.equal(FakeRequest.sent.length, 0);
  desk.prompts.answer("replace", all("replace", "a", "album"));
  await adding;
  await until(() => desk.outcomes.length === 1);
  assert.deepEqual(urlsOf(FakeRequest.sent), [
    "/api/resources/a?override=true",
    "/api/resources/album/1?override=true",
    "/api/resources/album/2?override=true",
    "/api/resources/b?override=false",
  ]);
  assert.equal(desk.heard.length, 0);
});

Deno.test("what is to be skipped is left out, and closing the question leaves all out", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using desk = bench();
  desk.known = there("a");
  const skipping = desk.uploads.add(ROOT, files("a", "b"));
  await until(() => desk.prompts.current.value !== null);
  desk.prompts.answer("replace", all("skip", "a"));
  await skipping;
  await until(() => desk.outcomes.length === 1);
  assert.deepEqual(urlsOf(FakeRequest.sent), ["/api/resources/b?override=false"]);

  const closing = desk.uploads.add(ROOT, files("a", "c"));
  await until(() => desk.prompts.current.value !== null);
  desk.prompts.close();
  await closing;
  assert.equal(FakeRequest.sent.length, 1);
});

Deno.test("what is known of a taken name is told, and a file replaces no folder", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  desk.known = new Map([["a", { isDir: true, size: 0, modified: "2026-10-05T12:00:00Z" }]]);
  const adding = desk.uploads.add(ROOT, files("a"));
  await until(() => desk.prompts.current.value !== null);
  const prompt = desk.prompts.current.value;
  const [conflict] = prompt?.kind === "replace" ? prompt.input.conflicts : [];
  assert.deepEqual([conflict?.there?.isDir, conflict?.coming?.isDir], [true, false]);
  assert.ok(conflict && !canReplace(conflict));
  desk.prompts.close();
  await adding;
});

Deno.test("where not all names are at hand, the server is asked for each", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  const taken = "/api/resources/photos/b";
  await using desk = bench(({ method, path }) => method === "HEAD" && path !== taken ? 404 : 200);
  const adding = desk.uploads.add(photos, files("a", "b", "album/1", "album/2"));
  await until(() => desk.prompts.current.value !== null);
  assert.deepEqual(askedAbout(desk), ["b"]);
  const asked = desk.heard.filter(({ method }) => method === "HEAD");
  assert.deepEqual(asked.map(({ path }) => path).toSorted(), [
    "/api/resources/photos/a",
    "/api/resources/photos/album",
    taken,
  ]);
  desk.prompts.close();
  await adding;
});

Deno.test("what is to be kept beside another gets the next free name", async () => {
  using _ = fakeRequests(({ url }) => ({ status: url.includes("a(1)") ? 409 : 200 }));
  await using desk = bench();
  desk.known = there("a.txt", "album", "album(1)");
  const adding = desk.uploads.add(ROOT, files("a.txt", "album/1", "album/2"));
  await until(() => desk.prompts.current.value !== null);
  desk.prompts.answer("replace", all("keep", "a.txt", "album"));
  await adding;
  await until(() => desk.outcomes.length === 1);
  assert.deepEqual(urlsOf(FakeRequest.sent).map((url) => decodeURI(url.split("?")[0] ?? "")), [
    "/api/resources/a(1).txt",
    "/api/resources/album(2)/1",
    "/api/resources/album(2)/2",
    "/api/resources/a(2).txt",
  ]);
  assert.ok(urlsOf(FakeRequest.sent).every((url) => url.endsWith("?override=false")));
});

Deno.test("of very many names only the topmost folders are asked for", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using desk = bench();
  const many = Array.from({ length: 300 }, (_, index) => `file ${index}`);
  await desk.uploads.add(ROOT, files(...many, "album/1"));
  await until(() => desk.outcomes.length === 1);
  const asked = desk.heard.filter(({ method }) => method === "HEAD").map(({ path }) => path);
  assert.deepEqual(asked, ["/api/resources/album"]);
});

Deno.test("names found taken on arrival are asked about together, then sent again", async () => {
  using _ = fakeRequests(({ url }) => ({ status: url.includes("=true") ? 200 : 409 }));
  await using desk = bench();
  await desk.uploads.add(ROOT, files("a", "b"));
  await until(() => desk.prompts.current.value !== null);
  await until(() => FakeRequest.waiting.length === 0);
  desk.prompts.answer("replace", all("replace", "a", "b"));
  await until(() => desk.prompts.current.value !== null || desk.outcomes.length === 1);
  desk.prompts.answer("replace", all("replace", "a", "b"));
  await until(() => desk.outcomes.length === 1);
  assert.equal(desk.outcomes[0]?.done, 2);
  assert.deepEqual(urlsOf(FakeRequest.sent).filter((url) => url.endsWith("true")).toSorted(), [
    "/api/resources/a?override=true",
    "/api/resources/b?override=true",
  ]);
});

Deno.test("a name found taken stays listed when the question is closed", async () => {
  using _ = fakeRequests(() => ({ status: 409 }));
  await using desk = bench();
  await desk.uploads.add(ROOT, files("a"));
  await until(() => desk.prompts.current.value !== null);
  desk.prompts.close();
  await until(() => desk.outcomes.length === 1);
  const { phase, failed, rows } = desk.uploads.now.value;
  assert.deepEqual({ phase, failed }, { phase: "settled", failed: 1 });
  assert.equal(rows[0]?.failure?.code, "exists");
});

Deno.test("a file is never asked about that a folder is in the way of", async () => {
  using _ = fakeRequests(() => ({
    status: 409,
    body: JSON.stringify({ code: "is_folder", message: "Cannot write" }),
  }));
  await using desk = bench();
  await desk.uploads.add(ROOT, files("a"));
  await until(() => desk.outcomes.length === 1);
  assert.equal(desk.prompts.current.value, null);
  assert.equal(desk.uploads.now.value.rows[0]?.failure?.code, "is_folder");
});

Deno.test("failures are listed until they are tried again or dismissed", async () => {
  let works = false;
  using _ = fakeRequests(({ url }) => ({ status: works || url.includes("/a?") ? 200 : 507 }));
  await using desk = bench();
  await desk.uploads.add(ROOT, files("a", "b", "c"));
  await until(() => desk.outcomes.length === 1);
  assert.deepEqual([desk.outcomes[0]?.done, desk.outcomes[0]?.failed], [1, 2]);
  const [first] = desk.uploads.now.value.rows;
  assert.equal(first?.failure?.code, "disk_full");

  works = true;
  desk.uploads.queue?.retry(first.id);
  await until(() => desk.outcomes.length === 2);
  assert.equal(desk.outcomes[1]?.done, 1);
  assert.equal(desk.uploads.now.value.failed, 1);
  desk.uploads.queue?.retryFailed();
  await until(() => desk.uploads.now.value.phase === "idle");

  works = false;
  await desk.uploads.add(ROOT, files("d"));
  await until(() => desk.uploads.now.value.failed === 1);
  desk.uploads.queue?.dismiss();
  assert.equal(desk.uploads.now.value.phase, "idle");
});

Deno.test("a broken connection is a failure, not an end", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  await desk.uploads.add(ROOT, files("a", "b"));
  FakeRequest.sent[0]?.lose();
  FakeRequest.sent[1]?.answer(200);
  await until(() => desk.outcomes.length === 1);
  assert.equal(desk.uploads.now.value.rows[0]?.failure?.code, "offline");
});

Deno.test("what this computer can't read or name is listed among the failures", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using desk = bench();
  await desk.uploads.add(ROOT, [
    { segments: ["locked"], file: null, unreadable: true },
    { segments: ["bad\0name"], file: new File(["x"], "bad") },
  ]);
  const codes = desk.uploads.now.value.rows.map(({ failure }) => failure?.code);
  assert.deepEqual(codes, ["invalid_name", "unreadable"]);
  assert.equal(desk.uploads.now.value.phase, "settled");
  assert.equal(desk.uploads.now.value.retriable, 0);

  // Nothing of them is made up on the server, whatever is pressed.
  for (const { id } of desk.uploads.now.value.rows) desk.uploads.queue?.retry(id);
  desk.uploads.queue?.retryFailed();
  await until(() => desk.uploads.now.value.phase === "settled");
  assert.deepEqual(desk.heard.filter(({ method }) => method === "POST"), []);
  assert.equal(FakeRequest.sent.length, 0);
  assert.equal(desk.uploads.now.value.failed, 2);
});

Deno.test("a file that was removed before its turn came says so, and does not wait for a server", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  const connection = new Connection(() => Promise.resolve(true));
  const uploads = new Uploads({ ...desk.options, api: resuming(desk, connection) });
  const file = new File(["0123456789"], "a");
  file.slice = () => {
    const gone = new Blob();
    gone.arrayBuffer = () => Promise.reject(new DOMException("", "NotReadableError"));
    return gone;
  };
  await uploads.add(ROOT, [{ segments: ["a"], file }]);
  FakeRequest.waiting[0]?.lose();
  await until(() => desk.outcomes.length === 1);
  assert.equal(uploads.now.value.rows[0]?.failure?.code, "unreadable");
  assert.equal(FakeRequest.sent.length, 1);
  assert.ok(!connection.isLost.value);
});

Deno.test("one upload can be given up, and the next takes its place", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  await desk.uploads.add(ROOT, files("a", "b", "c", "d", "e", "f"));
  const [first] = desk.uploads.now.value.rows;
  desk.uploads.queue?.cancel(first?.id ?? 0);
  assert.equal(FakeRequest.sent[0]?.state, "aborted");
  assert.equal(FakeRequest.sent.length, 6);
  FakeRequest.waiting.forEach((request) => request.answer(200));
  await until(() => desk.outcomes.length === 1);
  assert.equal(desk.outcomes[0]?.done, 5);
  assert.equal(desk.outcomes[0]?.failed, 0);
});

Deno.test("all uploads can be given up at once", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  await desk.uploads.add(ROOT, files(..."abcdefghij"));
  desk.uploads.queue?.cancelAll();
  assert.ok(FakeRequest.sent.every(({ state }) => state === "aborted"));
  assert.equal(FakeRequest.sent.length, 5);
  assert.equal(desk.uploads.now.value.phase, "idle");
  assert.ok(!desk.window.warns);
});

Deno.test("what is being queued while all is given up is given up, too", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  desk.known = there();
  const many = files(...Array.from({ length: 5_000 }, (_, index) => `file ${index}`));
  const adding = desk.uploads.add(ROOT, many);
  await until(() => FakeRequest.sent.length > 0);
  desk.uploads.queue?.cancelAll();
  await adding;
  assert.equal(desk.uploads.now.value.phase, "idle");
  assert.equal(FakeRequest.waiting.length, 0);
  await desk.uploads.add(ROOT, files("another"));
  assert.equal(FakeRequest.waiting.length, 1);
  desk.uploads.queue?.cancelAll();
});

Deno.test("without a session everything that waits fails at once", async () => {
  using _ = fakeRequests(() => ({ status: 401 }));
  await using desk = bench();
  const many = Array.from({ length: 150 }, (_, index) => `file ${index}`);
  desk.known = there();
  await desk.uploads.add(ROOT, files(...many));
  await until(() => desk.outcomes.length === 1);
  assert.equal(desk.outcomes[0]?.failed, 150);
  assert.ok(FakeRequest.sent.length <= 5);
  assert.equal(desk.session.ended.value, "expired");
});

Deno.test("when the session runs out uploads wait, and go on after signing in", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  const api = resuming(desk);
  const uploads = new Uploads({ ...desk.options, api });
  await uploads.add(ROOT, files("a", "b", "c", "d", "e", "f"));
  for (const request of FakeRequest.waiting) request.answer(401);
  await until(() => uploads.now.value.paused === "session");
  assert.equal(FakeRequest.waiting.length, 0);
  assert.equal(uploads.now.value.total, 6);
  desk.session.keep(tokenFor(ada, 1, "s2"));
  await until(() => FakeRequest.waiting.length === 5);
  assert.equal(FakeRequest.waiting[0]?.headers.get("x-auth"), tokenFor(ada, 1, "s2"));
  assert.deepEqual(urlsOf(FakeRequest.waiting).sort()[0], "/api/resources/a?override=false");
  uploads.cancelAll();
});

Deno.test("while the server is away uploads wait, and begin again when it is back", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  let isThere = false;
  const connection = new Connection(() => Promise.resolve(isThere));
  const uploads = new Uploads({ ...desk.options, api: resuming(desk, connection) });
  await uploads.add(ROOT, files("a", "b"));
  FakeRequest.sent[0]?.lose();
  FakeRequest.sent[1]?.answer(503);
  await until(() => uploads.now.value.paused === "server");
  assert.equal(uploads.now.value.failed, 0);
  isThere = true;
  await until(() => FakeRequest.waiting.length === 2);
  FakeRequest.waiting.forEach((request) => request.answer(200));
  await until(() => desk.outcomes.length === 1);
  assert.equal(desk.outcomes[0]?.done, 2);
});

Deno.test("a file that is lost again and again although the server is there fails in the end", async () => {
  using _ = fakeRequests();
  await using desk = bench();
  const connection = new Connection(() => Promise.resolve(true));
  const uploads = new Uploads({ ...desk.options, api: resuming(desk, connection) });
  await uploads.add(ROOT, files("a"));
  while (desk.outcomes.length === 0) {
    FakeRequest.waiting[0]?.lose();
    await pause(0);
  }
  assert.equal(desk.outcomes[0]?.failed, 1);
  assert.ok(FakeRequest.sent.length <= 6);
});

Deno.test("an upload tells the session to renew its token", async () => {
  using _ = fakeRequests((request) => {
    request.answerHeaders.set("x-renew-token", "true");
    return { status: 200 };
  });
  await using desk = bench();
  desk.known = there();
  await desk.uploads.add(ROOT, files("a"));
  await until(() => desk.heard.some(({ path }) => path === "/api/renew"));
});

Deno.test("ten thousand uploads cost little and change the screen seldom", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using desk = bench();
  desk.known = there();
  const incoming = files(...Array.from({ length: 10_000 }, (_, index) => `file ${index}`));
  let changes = 0;
  const stop = effect(() => {
    assert.ok(desk.uploads.now.value.rows.length <= 100);
    changes++;
  });
  const start = performance.now();
  await desk.uploads.add(ROOT, incoming);
  await until(() => desk.outcomes.length === 1);
  const elapsed = performance.now() - start;
  stop();
  assert.equal(desk.outcomes[0]?.done, 10_000);
  assert.ok(changes <= elapsed / 100 + 4, `${changes} changes in ${elapsed} ms`);
});

Deno.test("uploads go where they were dropped, whatever folder is looked at later", async () => {
  using _ = fakeRequests(() => ({ status: 200 }));
  await using desk = bench();
  desk.known = there();
  const folders: EntryPath[] = [photos, ROOT];
  await Promise.all(folders.map((folder) => desk.uploads.add(folder, files("same.txt"))));
  await until(() => FakeRequest.sent.length === 2 && FakeRequest.waiting.length === 0);
  assert.deepEqual(urlsOf(FakeRequest.sent), [
    "/api/resources/photos/same.txt?override=false",
    "/api/resources/same.txt?override=false",
  ]);
  await until(() => desk.uploads.now.value.phase === "idle");
});

Deno.test("uploads are one job until the queue is empty, and then another", async () => {
  let works = false;
  using _ = fakeRequests(({ url }) => ({ status: works || !url.includes("/c?") ? 200 : 507 }));
  await using desk = bench();
  desk.known = there();
  await Promise.all([
    desk.uploads.add(ROOT, files("a", "b", "c", "d", "e", "f", "g")),
    desk.uploads.add(photos, files("h")),
  ]);
  await until(() => desk.outcomes.length === 1);
  assert.equal(FakeRequest.sent.length, 8);
  const first = jobsOf(FakeRequest.sent);
  assert.deepEqual(first, new Set([desk.outcomes[0]?.job]));

  // What failed is tried again by a job of its own.
  works = true;
  desk.uploads.queue?.retryFailed();
  await until(() => desk.outcomes.length === 2);
  const second = jobsOf(FakeRequest.sent.slice(8));
  assert.deepEqual(second, new Set([desk.outcomes[1]?.job]));
  assert.ok(first.isDisjointFrom(second));

  await desk.uploads.add(ROOT, files("i"));
  await until(() => desk.outcomes.length === 3);
  const third = jobsOf(FakeRequest.sent.slice(9));
  assert.deepEqual(third, new Set([desk.outcomes[2]?.job]));
  assert.ok(third.isDisjointFrom(first.union(second)));
});

Deno.test("each part of a large file carries the id of the job", async () => {
  using _ = fakeRequests(({ method, url }) =>
    method === "POST" && url.includes("/api/tus/") ? { status: 201 } : null
  );
  await using desk = bench();
  desk.known = there();
  const large = new File([new Uint8Array(2 * 2 ** 20 + 1)], "large");
  await desk.uploads.add(ROOT, [...files("a"), { segments: ["large"], file: large }]);
  await until(() => FakeRequest.waiting.some(({ method }) => method === "PATCH"));
  assert.equal(FakeRequest.waiting.length, 2);
  const [job] = jobsOf(FakeRequest.waiting);
  assert.deepEqual(jobsOf(FakeRequest.waiting), new Set([job]));
  desk.uploads.queue?.cancelAll();
  await until(() => desk.uploads.now.value.phase === "idle");
});
