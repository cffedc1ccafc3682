/** Jobs from and to disks that may hang, mounted for real: they run in the threads that wait for them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import type { JobInfo } from "../../lib/shared/schemas/job.ts";
import { plant, temporaryFolder } from "../support/disks/files.ts";
import { ensureFuse, type FuseMount, mountFuse } from "../support/disks/fuse.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";

const command = ["run", "-A", "--cached-only", "tests/support/probes/launch_hasty.ts"];

await ensureFuse();

interface Entry {
  path: string;
  destination?: string;
}

/** A root with disks of its own below it, or that is one, and a server. */
interface Scene extends AsyncDisposable {
  root: string;
  data: string;
  disks: FuseMount[];
  server: RunningServer;
  /** Ends the server with a kill, and starts another on the same folders. */
  restart(): Promise<void>;
  call(
    method: string,
    path: string,
    json?: unknown,
    more?: Record<string, string>,
  ): Promise<Response>;
  /** Begins a job and waits for its end, or that it pauses. */
  job(action: string, entries: Entry[], more?: object): Promise<JobInfo>;
  undo(job: JobInfo): Promise<JobInfo>;
  ended(id: string): Promise<JobInfo>;
  text(path: string): string | null;
  isServed(path: string): Promise<boolean>;
}

/** @param points where disks are mounted: "." for the root itself */
async function scene(points: string[], workers = 1): Promise<Scene> {
  const stack = new AsyncDisposableStack();
  const [root, data] = [
    stack.use(await temporaryFolder()).path,
    stack.use(await temporaryFolder()).path,
  ];
  const below = points.filter((point) => point !== ".");
  await plant(root, {
    local: { "l.txt": "L" },
    ...Object.fromEntries(below.map((at) => [at, {}])),
  });
  const disks: FuseMount[] = [];
  for (const point of points) {
    const source = stack.use(await temporaryFolder());
    await plant(source.path, {
      ...{ "a.txt": "A", "b.txt": "B", tree: { deep: { "c.txt": "C" } } },
      ...point === "." ? { local: { "l.txt": "L" } } : {},
    });
    disks.push(stack.use(await mountFuse(source.path, join(root, point))));
  }
  const start = () => startServer({ command, root, data, workers });
  let server = await start();
  stack.defer(async () => void await server.stop());
  const headers = new Headers({ accept: "application/json", prefer: "respond-async, wait=30" });
  const signIn = async () => {
    const { username, password } = server;
    const body = JSON.stringify({ username, password });
    const signedIn = await fetch(`${server.url}/api/login`, { method: "POST", body });
    headers.set("x-auth", await signedIn.text());
  };
  await signIn();
  const call = async (
    method: string,
    path: string,
    json?: unknown,
    more: Record<string, string> = {},
  ) => {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const all = { ...Object.fromEntries(headers), ...more };
    return await fetch(server.url + path, { method, headers: all, body });
  };
  const told = async (answer: Response): Promise<JobInfo> => {
    const text = await answer.text();
    assert.ok(answer.ok, `${answer.status} ${text}`);
    return JSON.parse(text);
  };
  /** The job once it has ended, or after two minutes: each answer waits half a minute at most. */
  const ended = async (answer: Response, more = 3): Promise<JobInfo> => {
    const job = await told(answer);
    if (!["queued", "running"].includes(job.state) || more === 0) return job;
    return await ended(await call("GET", `/api/jobs/${job.id}`), more - 1);
  };
  return {
    ...{ root, data, disks, call },
    get server() {
      return server;
    },
    async restart() {
      Deno.kill(server.pid, "SIGKILL");
      await server.ended;
      server = await start();
      await signIn();
    },
    job: async (action, entries, more = {}) =>
      await ended(
        await call("POST", "/api/jobs", {
          action,
          entries: entries.map((entry) => ({ ...entry, ...more })),
        }),
      ),
    undo: async ({ id }) => await ended(await call("POST", `/api/jobs/${id}/undo`)),
    ended: async (id) => await ended(await call("GET", `/api/jobs/${id}`)),
    async isServed(path) {
      const answer = await call("GET", `/api/resources${path}`);
      await answer.body?.cancel();
      return answer.ok;
    },
    text(path) {
      try {
        return Deno.readTextFileSync(join(root, path));
      } catch {
        return null;
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function assertDone({ state, failures }: JobInfo, expected = "done"): void {
  assert.deepEqual([state, failures], [expected, []]);
}

/** Such a disk has no trash: what would go there stays, and the job says so. */
function assertUntrashed({ state, failures }: JobInfo, expected = "undone"): void {
  assert.deepEqual([state, failures.map(({ code }) => code)], [expected, ["no_trash"]]);
}

for (const workers of [1, 2]) {
  Deno.test(`jobs from and to a disk that may hang run, and are undone, with ${workers} threads`, async () => {
    await using here = await scene(["nas", "nas2"], workers);
    const { job, undo, text } = here;

    for (
      const [from, to, content] of [
        ["/nas/a.txt", "/local/a.txt", "A"],
        ["/local/l.txt", "/nas/l.txt", "L"],
        ["/nas/a.txt", "/nas/other.txt", "A"],
        ["/nas/a.txt", "/nas2/other.txt", "A"],
      ] as const
    ) {
      const entries = [{ path: from, destination: to }];
      for (const action of ["copy", "move"]) {
        const done = await job(action, entries);
        assertDone(done);
        const left = action === "move" ? null : content;
        assert.deepEqual([text(from), text(to)], [left, content], `${action} ${from} ${to}`);
        const undone = await undo(done);
        if (action === "copy" && !to.startsWith("/local/")) assertUntrashed(undone);
        else {
          assertDone(undone, "undone");
          assert.deepEqual([text(from), text(to)], [content, null], `undo ${action} ${from} ${to}`);
        }
        if (text(to) !== null) Deno.removeSync(join(here.root, to));
      }
    }

    const trashed = await job("trash", [{ path: "/nas/tree" }]);
    assertUntrashed(trashed, "done");
    assert.equal(text("nas/tree/deep/c.txt"), "C");

    assertDone(await job("archive", [{ path: "/nas/tree", destination: "/nas2/tree.zip" }]));
    const out = await job("extract", [{ path: "/nas2/tree.zip", destination: "/local/out" }]);
    assertDone(out);
    assert.equal(text("local/out/c.txt"), "C");
    assertDone(await undo(out), "undone");
    assert.equal(text("local/out/c.txt"), null);

    assertDone(await job("checksum", [{ path: "/nas/a.txt" }]));
    assertDone(await job("delete", [{ path: "/nas2/tree" }]));
    assert.equal(text("nas2/tree/deep/c.txt"), null);
  });
}

Deno.test("jobs on a root that may hang run, and are undone", async () => {
  await using here = await scene(["."]);
  const { job, undo, text } = here;
  const moved = await job("move", [{ path: "/tree", destination: "/local/tree" }]);
  assertDone(moved);
  assert.equal(text("local/tree/deep/c.txt"), "C");
  assertDone(await undo(moved), "undone");
  assert.deepEqual([text("local/tree/deep/c.txt"), text("tree/deep/c.txt")], [null, "C"]);
  assertDone(await job("copy", [{ path: "/tree", destination: "/local/tree" }]));
  assertDone(await job("archive", [{ path: "/tree", destination: "/tree.zip" }]));
  assertDone(await job("extract", [{ path: "/tree.zip", destination: "/out" }]));
  assert.equal(text("out/c.txt"), "C");
  assertUntrashed(await job("trash", [{ path: "/a.txt" }]), "done");
  assertDone(await job("delete", [{ path: "/b.txt" }]));
  assert.equal(text("b.txt"), null);
});

Deno.test("an entry is renamed and copied between disks by a call of its own", async () => {
  await using here = await scene(["nas"]);
  const { call, text } = here;
  for (
    const [from, to] of [["/nas/a.txt", "/local/a.txt"], ["/local/l.txt", "/nas/l.txt"], [
      "/nas/tree",
      "/local/tree",
    ]] as const
  ) {
    const query = `action=rename&destination=${to}`;
    const answer = await call("PATCH", `/api/resources${from}?${query}`);
    assert.equal(answer.status, 200, `${from}: ${await answer.text()}`);
  }
  assert.deepEqual(
    [text("local/a.txt"), text("nas/l.txt"), text("local/tree/deep/c.txt")],
    ["A", "L", "C"],
  );
  assert.deepEqual([text("nas/a.txt"), text("nas/tree/deep/c.txt")], [null, null]);
});

Deno.test("more jobs at once than a user has at work wait, and run one after the other", async () => {
  await using here = await scene(["nas"]);
  const numbers = Array.from({ length: 12 }, (_, index) => index);
  const jobs = await Promise.all(numbers.map((number) => {
    const path = number % 3 === 0 ? "/local/l.txt" : "/nas/tree";
    const to = number % 2 === 0 ? "/nas" : "/local";
    return here.job("copy", [{ path, destination: `${to}/copy${number}` }]);
  }));
  for (const job of jobs) assertDone(job);
});

Deno.test("a job on a disk that may hang is taken up again after a kill, in a thread of that disk", async () => {
  await using here = await scene(["nas"]);
  const { call, disks: [disk] } = here;
  assert.ok(disk);
  const entries = Array.from({ length: 300 }, (_, index) => ({
    path: "/nas/a.txt",
    destination: `/local/copy${index}`,
  }));
  const json = { action: "copy", entries };
  const begun = await call("POST", "/api/jobs", json, { prefer: "respond-async" });
  const { id, state }: JobInfo = await begun.json();
  assert.ok(["queued", "running"].includes(state), state);
  await here.restart();
  const job = await here.ended(id);
  assertDone(job);
  assert.equal(here.text("local/copy299"), "A");
  assertDone(await here.undo(job), "undone");
  assert.equal(here.text("local/copy0"), null);
});

Deno.test("a job whose disk hangs is refused, and holds up no other", async () => {
  await using here = await scene(["nas"]);
  const { call, disks: [disk] } = here;
  assert.ok(disk);
  const entries = Array.from({ length: 200 }, (_, index) => ({
    path: "/nas/a.txt",
    destination: `/local/copy${index}`,
  }));
  const many = { action: "copy", entries };
  const { id } = await (await call("POST", "/api/jobs", many, { prefer: "" })).json();
  while (here.text("local/copy0") === null) await delay(1);
  await disk.hang();
  assert.ok(!await here.isServed("/nas/"), "it hangs");
  const entry = { path: "/nas/a.txt", destination: "/local/x" };
  const refused = await call("POST", "/api/jobs", { action: "copy", entries: [entry] });
  assert.equal(refused.status, 504, await refused.text());
  assertDone(await here.job("copy", [{ path: "/local/l.txt", destination: "/local/quick" }]));
  disk.goOn();
  assertDone(await here.ended(id));
  assert.equal(here.text("local/copy199"), "A");
  assert.equal(here.text("local/x"), null);
});
