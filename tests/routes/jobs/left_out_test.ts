/** Pipes, sockets and devices stop no job about a folder: the rest is copied, and it is said. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { plant } from "../../support/disks/files.ts";
import { mount } from "../../support/disks/small_disk.ts";

const app = await startApp({
  tree: {
    odd: { a: "a", deep: { b: "b" } },
    moved: { odd: { a: "a", deep: { b: "b" } } },
    plain: { c: "c" },
    many: {},
  },
});
Deno.test.afterAll(async () => {
  for (const listener of listeners) listener.close();
  await app.close();
});
const token = await app.tokenOf("admin");
const at = (path: string) => join(app.root, path);

await new Deno.Command("mkfifo", { args: [at("odd/pipe"), at("moved/odd/pipe")] }).output();
const listeners = ["odd", "moved/odd"].map((folder) =>
  Deno.listen({ transport: "unix", path: at(`${folder}/deep/socket`) })
);
const ignore = Deno.build.os === "windows";

async function run(action: string, ...entries: object[]): Promise<JobInfo> {
  const answer = await app.call("POST", "/api/jobs", {
    token,
    json: { action, entries },
    headers: { prefer: "respond-async, wait=60" },
  });
  return await answer.json();
}

function namesIn(path: string): string[] {
  return [...Deno.readDirSync(at(path))].map(({ name }) => name).sort();
}

function assertLeftOut(job: JobInfo, folder = "/odd"): void {
  assert.equal(job.state, "done");
  assert.deepEqual([job.failed, job.partial], [1, 1]);
  const [failure, ...more] = job.failures;
  const { path, code, message, leftOut } = failure ?? assert.fail("no failure");
  assert.deepEqual([code, more], ["not_a_file", []]);
  assert.deepEqual({ ...leftOut, first: leftOut?.first.toSorted() }, {
    ...{ folder, count: 2 },
    first: ["deep/socket", "pipe"],
  });
  assert.ok([`${folder}/pipe`, `${folder}/deep/socket`].includes(path), path);
  for (const name of ["pipe", "deep/socket"]) assert.ok(message.includes(`"${name}"`), message);
}

Deno.test({
  name: "a copy leaves out pipes and sockets, says so, and can be undone",
  ignore,
  async fn() {
    const job = await run("copy", { path: "/odd", destination: "/twin" });
    assertLeftOut(job);
    assert.deepEqual([namesIn("twin"), namesIn("twin/deep")], [["a", "deep"], ["b"]]);
    const undone = await app.call("POST", `/api/jobs/${job.id}/undo`, {
      token,
      headers: { prefer: "respond-async, wait=60" },
    });
    await assertStatus(undone, 200);
    assert.ok(!namesIn("").includes("twin"));
    const whole = await run("copy", { path: "/plain", destination: "/plain twin" });
    assert.deepEqual([whole.failures, whole.partial], [[], undefined]);
  },
});

for (const format of ["zip", "tar", "tar.gz"]) {
  Deno.test({
    name: `an archive (${format}) leaves out pipes and sockets, says so, and can be undone`,
    ignore,
    async fn() {
      const destination = `/odd.${format}`;
      const job = await run("archive", { path: "/odd", destination, format });
      assertLeftOut(job);
      assert.deepEqual([job.arrived, job.undo], [[`odd.${format}`], "part"]);
      const { items } = await (await app.call("GET", `/api/archive${destination}`, { token }))
        .json();
      assert.deepEqual(items.map(({ name }: { name: string }) => name).sort(), ["a", "deep"]);
      const chosen = await run("archive", {
        ...{ path: "/", names: ["odd", "plain"], destination: `/some.${format}`, format },
      });
      assert.deepEqual([chosen.state, chosen.failed, chosen.partial], ["done", 1, 1]);
      const [{ path, message, leftOut } = assert.fail("no failure")] = chosen.failures;
      const first = ["odd/pipe", "odd/deep/socket"];
      assert.deepEqual(leftOut, { folder: "/", count: 2, first });
      assert.equal(path, "/odd/pipe");
      assert.match(message, /^Cannot archive all of "\/": .*"odd\/pipe", "odd\/deep\/socket"$/);
      const undone = await app.call("POST", `/api/jobs/${job.id}/undo`, {
        token,
        headers: { prefer: "respond-async, wait=60" },
      });
      await assertStatus(undone, 200);
      assert.ok(!namesIn("").includes(`odd.${format}`));
      const whole = await run("archive", { path: "/plain", destination: `/p.${format}`, format });
      assert.deepEqual([whole.failures, whole.failed, whole.partial], [[], 0, undefined]);
    },
  });
}

Deno.test({
  name: "what could not be copied at all is told apart, in lists, too",
  ignore,
  async fn() {
    const names = Array.from({ length: 30 }, (_, index) => `#%?日本 \`${index}.txt`);
    const args = names.map((name) => at(`many/${name}`));
    await new Deno.Command("mkfifo", { args }).output();
    const { id, failed, partial, arrived, failures } = await run(
      "copy",
      ...["/none", "/odd/pipe", "/many", "/plain"].map((path) => ({
        path,
        destination: `/new${path}`,
      })),
    );
    assert.deepEqual([failed, partial, arrived], [3, 1, ["many", "plain"]]);
    assert.deepEqual(failures.map(({ code, leftOut }) => [code, leftOut?.count]), [
      ["not_found", undefined],
      ["not_a_file", undefined],
      ["not_a_file", 30],
    ]);
    const { first = [] } = failures[2]?.leftOut ?? {};
    assert.equal(first.length, 10);
    assert.ok(first.every((name) => names.includes(name)), first.join());
    const list: JobInfo[] = await (await app.call("GET", "/api/jobs", { token })).json();
    const listed = list.find((job) => job.id === id);
    assert.deepEqual([listed?.failed, listed?.partial, listed?.failures], [3, 1, []]);
  },
});

Deno.test({
  name: "a merging move on one disk moves pipes, and names those whose names are taken",
  ignore,
  async fn() {
    await plant(app.root, { late: { deep: { b: "b" } }, early: { deep: { taken: "kept" } } });
    await new Deno.Command("mkfifo", { args: ["taken", "free"].map((n) => at(`late/deep/${n}`)) })
      .output();
    const job = await run("move", { path: "/late", destination: "/early", override: true });
    assert.deepEqual([job.state, job.failed, job.partial], ["done", 1, 1]);
    const { message, leftOut } = job.failures[0] ?? assert.fail("no failure");
    assert.deepEqual(leftOut, { folder: "/late", count: 1, first: ["deep/taken"] });
    assert.match(message, /^Cannot move all of "\/late": .*"deep\/taken"$/);
    assert.deepEqual([namesIn("late/deep"), namesIn("early/deep")], [["taken"], [
      ...["b", "free", "taken"],
    ]]);
    const again = await run("move", { path: "/late", destination: "/else" });
    assert.deepEqual([again.failures, namesIn("else/deep")], [[], ["taken"]]);
  },
});

Deno.test({
  name: "a move to another disk moves the rest, and leaves pipes and sockets where they are",
  ignore: ignore || Deno.uid() !== 0,
  async fn() {
    Deno.mkdirSync(at("disk"));
    await mount("-t", "tmpfs", "-o", "size=4m", "cubby-test", at("disk"));
    try {
      const job = await run("move", { path: "/moved/odd", destination: "/disk/odd" });
      assertLeftOut(job, "/moved/odd");
      assert.deepEqual([namesIn("disk/odd"), namesIn("disk/odd/deep")], [["a", "deep"], ["b"]]);
      assert.deepEqual(namesIn("moved/odd"), ["deep", "pipe"]);
      assert.deepEqual(namesIn("moved/odd/deep"), ["socket"]);
    } finally {
      await new Deno.Command("umount", { args: [at("disk")] }).output();
    }
  },
});
