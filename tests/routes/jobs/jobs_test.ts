import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";

const app = await startApp({
  tree: { home: { "a.txt": "A", "b.txt": "B", docs: { deep: { "c.txt": "C" } }, to: {} } },
});
Deno.test.afterAll(app.close);

const { token } = await app.addUser("anna", { scope: "/home" });
const { token: other } = await app.addUser("bert", { scope: "/home" });
const headers = { prefer: "respond-async, wait=30" };

const at = (path: string) => join(app.root, "home", path);
const text = (path: string) => Deno.readTextFileSync(at(path));
const there = (path: string) => {
  try {
    return !!Deno.lstatSync(at(path));
  } catch {
    return false;
  }
};

async function jsonOf(answer: Response): Promise<JobInfo> {
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

async function begin(action: string, entries: object[], as = token): Promise<JobInfo> {
  const json = { action, entries };
  const answer = await app.call("POST", "/api/jobs", { token: as, json, headers });
  return await jsonOf(answer);
}

async function undo(id: string, as = token): Promise<JobInfo> {
  const answer = await app.call("POST", `/api/jobs/${id}/undo`, { token: as, headers });
  return await jsonOf(answer);
}

Deno.test("nobody begins a job without a session, or reaches another's", async () => {
  await assertRefused(await app.call("GET", "/api/jobs"), 401, "not_signed_in");
  await assertRefused(await app.call("POST", "/api/jobs", { json: {} }), 401, "not_signed_in");
  const { id } = await begin("copy", [{ path: "/a.txt", destination: "/mine.txt" }]);
  for (const [method, more] of [["GET", ""], ["PATCH", ""], ["POST", "/undo"]] as const) {
    const json = method === "PATCH" ? { state: "paused" } : undefined;
    const answer = await app.call(method, `/api/jobs/${id}${more}`, { token: other, json });
    await assertRefused(answer, 404, "not_found");
  }
  await undo(id);
  assert.ok(!there("mine.txt"));
});

Deno.test("a job that makes no sense is refused before it begins", async () => {
  for (
    const json of [
      {},
      { action: "burn", entries: [] },
      { action: "copy", entries: [] },
      { action: "copy", entries: [{ path: "/a.txt" }] },
      { action: "trash", entries: [{ path: 1 }] },
      { action: "trash", entries: "all" },
    ]
  ) {
    const answer = await app.call("POST", "/api/jobs", { token, json });
    await assertRefused(answer, 400, "invalid_body");
  }
  const up = { action: "trash", entries: [{ path: "/../x" }] };
  const answer = await app.call("POST", "/api/jobs", { token, json: up });
  await assertRefused(answer, 400, "invalid_path");
});

Deno.test("each entry is refused as a request of its own would be", async () => {
  const job = await begin("move", [
    { path: "/none.txt", destination: "/to/none.txt" },
    { path: "/a.txt", destination: "/b.txt" },
    { path: "/", destination: "/to/root" },
    { path: "/docs", destination: "/docs/deep/docs" },
  ]);
  assert.equal(job.state, "done");
  assert.equal(job.failed, 4);
  assert.equal(job.undo, "nothing");
  assert.deepEqual(job.failures.map(({ path, code }) => [path, code]), [
    ["/none.txt", "not_found"],
    ["/a.txt", "exists"],
    ["/", "forbidden"],
    ["/docs", "invalid_path"],
  ]);
  const answer = await app.call("POST", `/api/jobs/${job.id}/undo`, { token });
  await assertRefused(answer, 412, "precondition_failed");
});

Deno.test("rights are asked for as by the calls of one entry", async () => {
  const { token: reader } = await app.addUser("reader", {
    scope: "/home",
    perm: { create: false, delete: false, rename: false, modify: false },
  });
  for (const action of ["copy", "move", "trash", "delete"]) {
    const entry = { path: "/a.txt", destination: "/to/a.txt" };
    const job = await begin(action, [entry], reader);
    assert.deepEqual(job.failures.map(({ code }) => code), ["forbidden"], action);
  }
  assert.ok(there("a.txt") && !there("to/a.txt"));
});

Deno.test("a move of several entries is undone as one", async () => {
  const entries = ["a.txt", "docs"].map((name) => ({
    path: `/${name}`,
    destination: `/to/${name}`,
  }));
  const job = await begin("move", entries);
  assert.deepEqual(
    [job.state, job.total, job.done, job.failed, job.undo, job.arrived],
    ["done", 2, 2, 0, "all", ["a.txt", "docs"]],
  );
  assert.ok(there("to/docs/deep/c.txt") && !there("docs"));
  const undone = await undo(job.id);
  assert.deepEqual([undone.state, undone.failed, undone.undo], ["undone", 0, "nothing"]);
  assert.equal(text("docs/deep/c.txt"), "C");
  assert.ok(there("a.txt") && !there("to/a.txt"));
  const again = await app.call("POST", `/api/jobs/${job.id}/undo`, { token });
  await assertRefused(again, 412, "precondition_failed");
});

Deno.test("a copy is undone into the trash, a deletion out of it", async () => {
  const copy = await begin("copy", [{ path: "/docs", destination: "/docs", rename: true }]);
  assert.deepEqual(copy.arrived, ["docs(1)"]);
  assert.equal(text("docs(1)/deep/c.txt"), "C");
  await undo(copy.id);
  assert.ok(!there("docs(1)"));
  const gone = await begin("trash", [{ path: "/docs" }, { path: "/b.txt" }]);
  assert.ok(!there("docs") && !there("b.txt"));
  await undo(gone.id);
  assert.equal(text("docs/deep/c.txt"), "C");
  assert.equal(text("b.txt"), "B");
});

Deno.test("what was replaced comes back when the replacement is undone", async () => {
  for (const action of ["copy", "move"]) {
    const entry = { path: "/a.txt", destination: "/b.txt", override: true };
    const job = await begin(action, [entry]);
    assert.equal(text("b.txt"), "A", action);
    const undone = await undo(job.id);
    assert.equal(undone.failed, 0, JSON.stringify(undone.failures));
    assert.deepEqual([text("a.txt"), text("b.txt")], ["A", "B"], action);
  }
});

Deno.test("a merge and a deletion for good say that they cannot be undone", async () => {
  Deno.mkdirSync(at("to/docs"));
  const merge = await begin("copy", [{ path: "/docs", destination: "/to/docs", override: true }]);
  assert.equal(merge.undo, "nothing");
  assert.equal(text("to/docs/deep/c.txt"), "C");
  const gone = await begin("delete", [{ path: "/to/docs" }]);
  assert.equal(gone.undo, "nothing");
  assert.ok(!there("to/docs"));
  const trash = await (await app.call("GET", "/api/trash", { token })).json();
  assert.ok(!trash.items.some(({ path }: { path: string }) => path === "/to/docs"));
});

Deno.test("what somebody changed meanwhile is left as it is", async () => {
  const job = await begin("move", [
    { path: "/a.txt", destination: "/to/a.txt" },
    { path: "/b.txt", destination: "/to/b.txt" },
  ]);
  // One is replaced by another file, of the other the former place is taken.
  Deno.writeTextFileSync(at("to/a.new"), "other");
  Deno.renameSync(at("to/a.new"), at("to/a.txt"));
  Deno.writeTextFileSync(at("b.txt"), "new B");
  const undone = await undo(job.id);
  assert.deepEqual(
    undone.failures.map(({ path, code }) => [path, code]).sort(),
    [["/to/a.txt", "precondition_failed"], ["/to/b.txt", "exists"]],
  );
  assert.equal(undone.undo, "part");
  assert.deepEqual([text("to/a.txt"), text("b.txt"), text("to/b.txt")], ["other", "new B", "B"]);
  Deno.removeSync(at("b.txt"));
  assert.equal((await undo(job.id)).failed, 1);
  assert.equal(text("b.txt"), "B");
  Deno.renameSync(at("to/a.txt"), at("a.txt"));
  Deno.writeTextFileSync(at("a.txt"), "A");
});

Deno.test("two devices that undo at once undo it once", async () => {
  const entries = Array.from({ length: 20 }, (_, index) => {
    Deno.writeTextFileSync(at(`n${index}`), `${index}`);
    return { path: `/n${index}`, destination: `/to/n${index}` };
  });
  const job = await begin("move", entries);
  const answers = await Promise.all(
    [1, 2, 3].map(() => app.call("POST", `/api/jobs/${job.id}/undo`, { token, headers })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 412, 412]);
  for (const answer of answers) await answer.body?.cancel();
  for (const index of entries.keys()) {
    assert.equal(text(`n${index}`), `${index}`);
    Deno.removeSync(at(`n${index}`));
  }
});

Deno.test("uploads that name a job are undone together, and bring back what they replaced", async () => {
  const job = crypto.randomUUID();
  const put = (path: string, body: string, more = "") =>
    app.call("POST", `/api/resources${path}?job=${job}${more}`, { token, body });
  await assertRefused(
    await app.call("POST", "/api/resources/x?job=/", { token }),
    400,
    "invalid_option",
  );
  for (const folder of ["/up/", "/up/in/", "/docs/"]) {
    await assertStatus(await put(folder, ""), 200);
  }
  await assertStatus(await put("/up/in/deep.txt", "1"), 200);
  await assertStatus(await put("/up1.txt", "1"), 200);
  await assertStatus(await put("/b.txt", "new", "&override=true"), 200);
  const [shown] = await (await app.call("GET", "/api/jobs", { token })).json();
  assert.deepEqual(
    [shown.id, shown.action, shown.state, shown.total, shown.undo],
    [job, "upload", "done", 5, "all"],
  );
  const undone = await undo(job);
  assert.deepEqual(undone.failures, []);
  assert.equal(text("b.txt"), "B");
  assert.ok(!there("up1.txt") && !there("up") && there("docs"));
});

Deno.test("a call that prefers it is answered by a job", async () => {
  const call = (prefer: string, path: string, method = "PATCH") =>
    app.call(method, path, { token, headers: { prefer } });
  const copied = await call(
    "respond-async, wait=30",
    "/api/resources/a.txt?action=copy&destination=/a.txt&rename=true",
  );
  await assertStatus(copied, 200);
  assert.equal(copied.headers.get("content-location"), "/api/resources/a(1).txt");
  const taken = "/api/resources/a.txt?action=copy&destination=/b.txt";
  await assertRefused(await call("respond-async, wait=30", taken), 409, "exists");
  const later = await call("respond-async", "/api/resources/a(1).txt?trash=true", "DELETE");
  assert.equal(later.status, 202);
  assert.equal(later.headers.get("preference-applied"), "respond-async");
  const place = later.headers.get("location") ?? "";
  await later.body?.cancel();
  const ended = await (await app.call("GET", place, { token, headers })).json();
  assert.equal(ended.state, "done");
  assert.ok(!there("a(1).txt"));
});

Deno.test("a job pauses, goes on from where it was, and is cancelled without a trace", async () => {
  Deno.mkdirSync(at("many"));
  for (let index = 0; index < 5000; index++) Deno.writeTextFileSync(at(`many/${index}`), "x");
  const json = { action: "copy", entries: [{ path: "/many", destination: "/copy" }] };
  const change = async (id: string, state: string) => {
    const place = `/api/jobs/${id}`;
    const changed = await jsonOf(await app.call("PATCH", place, { token, json: { state } }));
    // It is heeded within a moment, which may be longer on a busy machine.
    if (state === "running") return changed;
    return await jsonOf(await app.call("GET", place, { token, headers }));
  };
  const started = await app.call("POST", "/api/jobs", { token, json });
  assert.equal(started.status, 202);
  const { id } = await started.json();
  assert.equal((await change(id, "paused")).state, "paused");
  assert.ok(!there("copy"));
  assert.equal((await change(id, "running")).state, "running");
  const done = await (await app.call("GET", `/api/jobs/${id}`, { token, headers })).json();
  assert.equal(done.state, "done");
  assert.equal([...Deno.readDirSync(at("copy"))].length, 5000);
  await assertRefused(
    await app.call("PATCH", `/api/jobs/${id}`, { token, json: { state: "paused" } }),
    412,
    "precondition_failed",
  );
  await undo(id);
  const second = await (await app.call("POST", "/api/jobs", { token, json })).json();
  assert.equal((await change(second.id, "cancelled")).state, "cancelled");
  assert.ok(!there("copy"));
  assert.deepEqual([...Deno.readDirSync(at("."))].filter(({ name }) => /cubby/.test(name)), []);
});

Deno.test("jobs are listed in pages, which are found by words, as all of them are", async () => {
  const { token: many } = await app.addUser("lister", { scope: "/home" });
  const list = (query: string) => app.call("GET", `/api/jobs${query}`, { token: many });
  await assertRefused(await list("?limit=x"), 400, "invalid_option");
  const begun: string[] = [];
  for (const name of ["one", "two", "three"]) {
    const entries = [{ path: "/a.txt", destination: `/to/listed ${name} #%?日本.txt` }];
    begun.unshift((await begin("copy", entries, many)).id);
  }
  const idsOf = async (answer: Response) => (await answer.json()).map(({ id }: JobInfo) => id);
  assert.deepEqual(await idsOf(await list("")), begun);
  const first = await list("?limit=2");
  assert.equal(first.headers.get("x-total-count"), "3");
  const next = /<(\?[^>]*)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  assert.deepEqual(await idsOf(first), begun.slice(0, 2));
  const last = await list(next);
  assert.equal(last.headers.get("link"), null);
  assert.deepEqual(await idsOf(last), begun.slice(2));
  assert.deepEqual(await idsOf(await list("?query=a.TXT")), begun);
  assert.deepEqual(await idsOf(await list("?query=nowhere")), []);
});
