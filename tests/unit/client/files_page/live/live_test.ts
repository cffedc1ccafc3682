import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { keepFresh } from "../../../../../lib/client/files_page/live/live.ts";
import { RootAccess } from "../../../../../lib/client/base/core/root_access.ts";
import { Refresher } from "../../../../../lib/client/base/core/throttle.ts";
import { type Failure, failure, type Result, success } from "../../../../../lib/shared/result.ts";
import type { UnreadState } from "../../../../../lib/shared/schemas/notification.ts";
import type { SessionEnd } from "../../../../../lib/client/base/session/session.ts";
import {
  NO_UPLOADS,
  type UploadsState,
} from "../../../../../lib/client/files_page/uploads/lazy_uploads.ts";
import { Tasks } from "../../../../../lib/client/base/files/tasks.ts";
import { fakeTimers } from "../../../../support/run/fake_timers.ts";
import { jobInfo } from "../../fake_jobs.ts";
import { folderOf, until } from "../../support.ts";

const folder = folderOf(["a"], undefined, "/docs");

/** A folder on screen, a window, and a server that is told what to say. */
function screen(answers: (Result<null>)[] = []) {
  const path = signal(parsePath("/docs").path);
  const status = signal<"ready" | "loading" | "failed">("ready");
  const resource = signal<typeof folder | null>(folder);
  const ended = signal<SessionEnd | null>(null);
  const why = signal<Failure | null>(null);
  const isLost = signal(false);
  const uploads = signal<UploadsState>(NO_UPLOADS);
  const window = new EventTarget();
  const tasks = new Tasks();
  const document = Object.assign(new EventTarget(), {
    visibilityState: "visible" as DocumentVisibilityState,
  });
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const asked: string[] = [];
  let reloads = 0;
  const watch = (at: string, gone: AbortSignal): Promise<Result<ReadableStream<Uint8Array>>> => {
    asked.push(at);
    const answer = answers.shift();
    if (answer && !answer.ok) return Promise.resolve(answer);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        streams.push(controller);
        gone.addEventListener("abort", () => controller.error(gone.reason), { once: true });
      },
    });
    return Promise.resolve(success(body));
  };
  const reload = () => {
    reloads++;
    return Promise.resolve();
  };
  const news = signal(0);
  const listing = { path, status, resource, failure: why, reload, news };
  const [session, connection] = [{ ended }, { isLost }];
  const unread = signal<UnreadState>({ unread: 0, edition: 0 });
  const rootAccess = new RootAccess();
  const stop = keepFresh({
    ...{ api: { watch }, session, connection, listing, uploads, tasks, window, document },
    ...{ news: unread, rootAccess },
  });
  return {
    ...{
      path,
      status,
      resource,
      ended,
      why,
      isLost,
      uploads,
      tasks,
      window,
      document,
      streams,
      asked,
    },
    count: () => reloads,
    news,
    unread,
    rootAccess,
    say: (event: string, data = "{}") =>
      streams.at(-1)?.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${data}\n\n`)),
    show: (visibility: DocumentVisibilityState) => {
      document.visibilityState = visibility;
      document.dispatchEvent(new Event("visibilitychange"));
    },
    [Symbol.dispose]: stop,
  };
}

const ready = JSON.stringify({ modified: folder.modified });

Deno.test("the folder on screen is read again when it has changed", async () => {
  using it = screen();
  assert.deepEqual(it.asked, ["/docs"]);
  it.say("ready", ready);
  it.say("changed");
  await until(() => it.count() === 1);
  it.say("changed");
  await until(() => it.count() === 2);
});

Deno.test("a folder that changed before it was watched is read again", async () => {
  using it = screen();
  it.say("ready", JSON.stringify({ modified: "later" }));
  await until(() => it.count() === 1);
});

Deno.test("events may come in pieces, with signs of life in between", async () => {
  using it = screen();
  const bytes = new TextEncoder().encode(
    `event: ready\ndata: ${ready}\n\n: alive\n\nevent: changed\n`,
  );
  it.streams[0]?.enqueue(bytes.slice(0, 9));
  it.streams[0]?.enqueue(bytes.slice(9));
  it.streams[0]?.enqueue(new TextEncoder().encode("data: {}\n\n"));
  await until(() => it.count() === 1);
});

Deno.test("another folder is watched in the place of the first", () => {
  using it = screen();
  it.path.value = parsePath("/music").path;
  assert.deepEqual(it.asked, ["/docs", "/music"]);
  const [first] = it.streams;
  assert.throws(() => first?.enqueue(new Uint8Array()));
});

Deno.test("beside an open file its folder is watched, and news of it are told", async () => {
  using it = screen();
  it.path.value = parsePath("/docs/a.txt").path;
  it.resource.value = { ...folder, isDir: false };
  assert.equal(it.asked.at(-1), "/docs");
  // Whatever the time of the folder is, the file may have changed before it was watched.
  it.say("ready", ready);
  await until(() => it.news.value === 1);
  it.say("changed");
  await until(() => it.news.value === 2);
  assert.equal(it.count(), 0);
});

Deno.test("a lost connection is made anew, and what was missed is read", async () => {
  using it = screen([success(null), failure(0, "offline", ""), failure(503, "unknown", "")]);
  it.say("ready", ready);
  it.streams[0]?.close();
  await until(() => it.asked.length === 4);
  it.say("ready", ready);
  await until(() => it.count() === 1);
});

Deno.test("a folder that is gone is read once more, and asked about no more", async () => {
  using it = screen([failure(404, "not_found", "")]);
  await until(() => it.count() === 1);
  assert.equal(it.asked.length, 1);
});

Deno.test("a hidden tab watches nothing, and reads anew when it is seen again", async () => {
  using it = screen();
  it.show("hidden");
  assert.throws(() => it.streams[0]?.enqueue(new Uint8Array()));
  it.show("visible");
  assert.equal(it.asked.length, 2);
  await until(() => it.count() === 1);
});

Deno.test("coming back to the window reads anew: some disks tell of nothing", async () => {
  using it = screen([failure(501, "not_supported", "")]);
  it.window.dispatchEvent(new Event("focus"));
  await until(() => it.count() === 1);
  assert.equal(it.asked.length, 1);
});

Deno.test("while uploads need the connections none is kept, and each arrival is the sign", async () => {
  using it = screen();
  it.uploads.value = { ...NO_UPLOADS, phase: "busy", total: 2 };
  assert.throws(() => it.streams[0]?.enqueue(new Uint8Array()));
  assert.equal(it.count(), 0);
  it.uploads.value = { ...NO_UPLOADS, phase: "busy", total: 2, done: 1 };
  await until(() => it.count() === 1);
  it.uploads.value = NO_UPLOADS;
  assert.equal(it.asked.length, 2);
});

Deno.test("a folder that could not be had is read when the server is back, or the user", async () => {
  using it = screen();
  it.status.value = "failed";
  it.why.value = failure(0, "offline", "");
  it.isLost.value = true;
  assert.equal(it.count(), 0);
  it.isLost.value = false;
  await until(() => it.count() === 1);
  it.why.value = failure(403, "forbidden", "");
  it.isLost.value = true;
  it.isLost.value = false;
  it.status.value = "ready";
  it.ended.value = "expired";
  it.ended.value = null;
  await until(() => it.count() === 2);
});

Deno.test("nothing is watched once the session has ended, and again after signing in", () => {
  using it = screen();
  it.ended.value = "expired";
  assert.throws(() => it.streams[0]?.enqueue(new Uint8Array()));
  it.ended.value = null;
  assert.equal(it.asked.length, 2);
});

Deno.test("jobs that the server tells of are shown, and the folder is not read for them", async () => {
  using it = screen();
  it.say("ready", ready);
  it.say("jobs", JSON.stringify([jobInfo({ id: "second" }), jobInfo({ id: "first" })]));
  await until(() => it.tasks.shown.value.length === 2);
  it.say("jobs", JSON.stringify([jobInfo({ id: "second", state: "paused" })]));
  await until(() => it.tasks.shown.value[0]?.state === "paused");
  it.say("jobs", "[]");
  await until(() => it.tasks.shown.value.length === 0);
  assert.equal(it.count(), 0);
});

Deno.test("an event that this page does not know is passed over", async () => {
  using it = screen();
  it.say("news", "[]");
  it.say("jobs", JSON.stringify([jobInfo()]));
  await until(() => it.tasks.shown.value.length === 1);
  assert.equal(it.count(), 0);
});

Deno.test("jobs of which nothing can be heard for long are shown no more", async () => {
  using time = fakeTimers();
  using it = screen();
  it.tasks.update([jobInfo({ id: "other" })]);
  it.tasks.follow(jobInfo({ id: "own" }));
  it.status.value = "loading";
  await time.pass(5_000);
  it.status.value = "ready";
  await time.pass(60_000);
  assert.equal(it.tasks.shown.value.length, 2);
  it.uploads.value = { ...NO_UPLOADS, phase: "busy", total: 2 };
  await time.pass(5_000);
  assert.equal(it.tasks.shown.value.length, 2);
  await time.pass(10_000);
  assert.deepEqual(it.tasks.shown.value.map(({ id }) => id), ["own"]);
});

Deno.test("a slow folder is read less often than it changes", async () => {
  let runs = 0;
  let finish = () => {};
  const refresher = new Refresher(() => {
    runs++;
    return new Promise((resolve) => finish = resolve);
  });
  refresher.ask();
  refresher.ask();
  await until(() => runs === 1);
  for (let ask = 0; ask < 20; ask++) refresher.ask();
  finish();
  await until(() => runs === 2);
  refresher.ask();
  refresher.stop();
  finish();
  await Promise.resolve();
  refresher.stop();
  assert.equal(runs, 2);
});

Deno.test("the count of notifications follows what the server reports", async () => {
  using at = screen();
  await until(() => at.streams.length === 1);
  at.say("notifications", '{"unread":2,"edition":7}');
  await until(() => at.unread.value.unread === 2);
  assert.equal(at.count(), 0);
});

Deno.test("roots that a group gives or takes are learned, and the folder is read again", async () => {
  using at = screen();
  await until(() => at.streams.length === 1);
  at.say("ready", ready);
  const roots = { names: ["docs"], readOnlyPaths: [folder.path] };
  at.say("roots", JSON.stringify(roots));
  await until(() => at.count() === 1);
  assert.deepEqual(at.rootAccess.roots, roots);
  assert.ok(!at.rootAccess.canAddTo(at.path.value) && at.rootAccess.isReadOnlyTop(at.path.value));
  at.say("ready", JSON.stringify({ modified: folder.modified, roots }));
  at.say("roots", "null");
  await until(() => at.count() === 2);
  assert.ok(at.rootAccess.canAddTo(at.path.value));
});
