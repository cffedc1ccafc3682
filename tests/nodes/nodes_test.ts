/**
 * Two real servers on one store, a KV Connect server, and one folder, of which the second has a part
 * by a mount of its own.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../support/disks/files.ts";
import { startDenokv } from "../support/services/denokv.ts";
import { follow } from "../support/clients/watching.ts";
import type { JobInfo } from "../../lib/shared/schemas/job.ts";
import { hasMount, jsonOf, openVolumes, plantFiles, startNode, statusOf, until } from "./node.ts";

const folder = await temporaryFolder();
const volumes = await openVolumes(folder.path);
const { root, otherRoot } = volumes;
const store = await startDenokv(folder.path);
const { url } = store;

// Both at once, on a store without records.
const [first, second] = await Promise.all([
  startNode({ url, root }),
  startNode({ url, root: otherRoot }),
]);

Deno.test.afterAll(async () => {
  await Promise.all([first, second].map(({ server }) => server.stop()));
  await volumes[Symbol.asyncDispose]();
  await store.kill();
  await folder[Symbol.asyncDispose]();
});

const token = await first.signIn();

const current_password = first.server.password;

async function makeUser(username: string): Promise<void> {
  const data = { username, password: "four herons at dawn", scope: "/" };
  const json = { what: "user", current_password, data };
  assert.equal(await statusOf(first.call("POST", "/api/users", { token, json })), 201);
}

Deno.test("a first start of both at once makes one administrator and one key", async () => {
  const users = await jsonOf<{ username: string }[]>(second.call("GET", "/api/users", { token }));
  assert.deepEqual(users.map(({ username }) => username), [first.server.username]);
  const other = await second.signIn();
  assert.equal(await statusOf(first.call("GET", "/api/resources/", { token: other })), 200);
});

Deno.test("a session that is ended on one node is refused on the other's next request", async () => {
  for (const [here, there] of [[first, second], [second, first]] as const) {
    for (let round = 0; round < 5; round++) {
      const mine = await here.signIn();
      assert.equal(await statusOf(there.call("GET", "/api/resources/", { token: mine })), 200);
      const sessions = await jsonOf<{ sid: string; current: boolean }[]>(
        here.call("GET", "/api/sessions", { token: mine }),
      );
      const sid = sessions.find(({ current }) => current)?.sid;
      await statusOf(here.call("DELETE", `/api/sessions/${sid}`, { token: mine }));
      assert.equal(await statusOf(there.call("GET", "/api/resources/", { token: mine })), 401);
    }
  }
});

Deno.test("wrong passwords are counted together", async () => {
  await makeUser("guessed");
  const guess = async (node: typeof first) =>
    await statusOf(
      node.call("POST", "/api/login", { json: { username: "guessed", password: "wrong" } }),
    );
  const statuses: number[] = [];
  for (let count = 0; count < 5; count++) statuses.push(await guess(count % 2 ? first : second));
  assert.deepEqual(statuses, [403, 403, 403, 403, 403]);
  assert.deepEqual([await guess(first), await guess(second)], [429, 429]);
});

Deno.test("settings hold on the other node within a second", async () => {
  const settings = await jsonOf<Record<string, unknown>>(
    first.call("GET", "/api/settings", { token }),
  );
  const branding = { ...settings.branding as object, name: "The den of otters" };
  const put = first.call("PUT", "/api/settings", {
    token,
    json: { ...settings, branding, current_password },
  });
  assert.equal(await statusOf(put), 200);
  const page = await (await second.call("GET", "/login")).text();
  assert.ok(page.includes(branding.name));
});

/** Begins a resumable upload, and sends a part of it. */
const tus = { "tus-resumable": "1.0.0" };
const partHeaders = (offset: number) => ({
  ...tus,
  "content-type": "application/offset+octet-stream",
  "upload-offset": String(offset),
});

Deno.test("an upload that was begun on one node goes on on the other", async () => {
  for (const path of ["/api/tus/near.bin", "/api/tus/far/away.bin"]) {
    const begin = first.call("POST", path, { token, headers: { ...tus, "upload-length": "10" } });
    assert.equal(await statusOf(begin), 201);
    for (const [index, node] of [first, second, first, second, second].entries()) {
      const headers = partHeaders(index * 2);
      const part = node.call("PATCH", path, { token, headers, body: `${index}${index}` });
      const answer = await part;
      assert.equal(answer.status, 204, `${path} ${index}: ${await answer.text()}`);
    }
  }
  for (const name of ["near.bin", "far/away.bin"]) {
    assert.equal(Deno.readTextFileSync(join(root, name)), "0011223344");
  }
});

Deno.test("the other node takes an upload over from a silent request", async () => {
  for (const path of ["/api/tus/one.bin", "/api/tus/far/one.bin"]) {
    const begin = first.call("POST", path, { token, headers: { ...tus, "upload-length": "4" } });
    assert.equal(await statusOf(begin), 201);
    const half = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("AA"));
        await half.promise;
        controller.enqueue(new TextEncoder().encode("AA"));
        controller.close();
      },
    });
    const slow = first.call("PATCH", path, { token, headers: partHeaders(0), body });
    await until("the first part comes", 30_000, async () => {
      const state = await second.call("HEAD", path, { token, headers: tus });
      return state.headers.get("upload-offset") === "2";
    });
    const other = (offset: number) =>
      second.call("PATCH", path, { token, headers: partHeaders(offset), body: "B" });
    assert.equal(await statusOf(other(2)), 204, path);
    half.resolve();
    assert.equal(await statusOf(slow), 423, path);
    assert.equal(await statusOf(other(3)), 204, path);
    assert.equal(Deno.readTextFileSync(join(root, path.slice("/api/tus/".length))), "AABB");
  }
});

Deno.test("what one node has moved to the trash, the other restores and undoes", async () => {
  plantFiles(join(root, "trashed"), 2);
  const headers = { prefer: "respond-async, wait=10" };
  const entries = ["/trashed/0.txt", "/trashed/1.txt"].map((path) => ({ path }));
  const json = { action: "trash", entries };
  const job = await jsonOf<JobInfo>(first.call("POST", "/api/jobs", { token, json, headers }));
  assert.equal(job.state, "done");
  assert.deepEqual([...Deno.readDirSync(join(root, "trashed"))], []);
  const listed = await jsonOf<{ items: { id: string; name: string }[] }>(
    second.call("GET", "/api/trash", { token }),
  );
  const one = listed.items.find(({ name }) => name === "0.txt");
  assert.equal(await statusOf(second.call("POST", `/api/trash/${one?.id}`, { token })), 200);
  assert.equal(Deno.readTextFileSync(join(root, "trashed", "0.txt")), "0.txt");
  const undone = await jsonOf<JobInfo>(
    second.call("POST", `/api/jobs/${job.id}/undo`, { token, headers }),
  );
  assert.equal(undone.state, "undone");
  assert.equal(Deno.readTextFileSync(join(root, "trashed", "1.txt")), "1.txt");
});

Deno.test("who watches a folder hears of what the other node changes in it", async () => {
  Deno.mkdirSync(join(root, "far", "watched"), { recursive: true });
  const path = "/api/watch/far/watched";
  await using watching = follow(await second.call("GET", path, { token }));
  assert.equal(await watching.next(), "ready");
  // The volume itself tells nothing.
  Deno.writeTextFileSync(join(root, "far", "watched", "unseen.txt"), "");
  if (hasMount) assert.ok(await watching.isSilent(1_000));
  else await watching.next();
  const change = async (method: string, at: string, body?: string) => {
    const path = `/api/resources/far/watched${at}`;
    const status = await statusOf(first.call(method, path, { token, body }));
    assert.ok(status < 300, `${method} ${at}: ${status}`);
    assert.ok(!await watching.isSilent(20_000), `${method} ${at}`);
    assert.equal(await watching.next(), "changed");
  };
  await change("POST", "/new.txt", "new");
  await change("PUT", "/new.txt", "newer");
  await change("POST", "/folder/");
  await change("POST", "/made/on/the/way.txt", "deep");
  await change("PATCH", "/new.txt?action=rename&destination=%2Ffar%2Fwatched%2Fmoved.txt");
  await change("DELETE", "/moved.txt");
  // A change can be told in more than one step.
  while (!await watching.isSilent(1_000)) await watching.next();
  // Of others it hears nothing.
  await statusOf(first.call("POST", "/api/resources/far/other.txt", { token, body: "x" }));
  assert.ok(await watching.isSilent(1_000));
});

Deno.test("a job whose node is killed is taken over by the other", async () => {
  const names = plantFiles(join(root, "many"), 150);
  const entries = names.map((name) => ({
    path: `/many/${name}`,
    destination: `/copies/${name}`,
  }));
  const third = await startNode({ url, root });
  Deno.mkdirSync(join(root, "copies"));
  const json = { action: "copy", entries };
  const begun = await third.call("POST", "/api/jobs", { token, json });
  const { id } = await begun.json() as JobInfo;
  const look = async () => await jsonOf<JobInfo>(second.call("GET", `/api/jobs/${id}`, { token }));
  await until("some are copied", 30_000, async () => (await look()).done > 5);
  Deno.kill(third.server.pid, "SIGKILL");
  await third.server.ended;
  const atKill = await look();
  assert.ok(atKill.done < names.length, "killed before its end");
  const job = await until("the job ends", 60_000, async () => {
    const now = await look();
    return now.state === "done" && now;
  });
  assert.deepEqual([job.done, job.failed], [names.length, 0]);
  const copies = [...Deno.readDirSync(join(root, "copies"))].map(({ name }) => name);
  assert.deepEqual(copies.sort(), names.sort());
  await third.server.stop();
});
