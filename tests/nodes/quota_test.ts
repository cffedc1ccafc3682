/** A quota holds for two real servers on one store, the second with two threads. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../support/disks/files.ts";
import { startDenokv } from "../support/services/denokv.ts";
import { jsonOf, startNode, statusOf } from "./node.ts";

const folder = await temporaryFolder();
const root = join(folder.path, "root");
Deno.mkdirSync(join(root, "home"), { recursive: true });
const store = await startDenokv(folder.path);
const { url } = store;
const nodes = await Promise.all([
  startNode({ url, root }),
  startNode({ url, root, workers: 2 }),
]);
const [first, second] = nodes as [typeof nodes[0], typeof nodes[0]];

Deno.test.afterAll(async () => {
  await Promise.all(nodes.map(({ server }) => server.stop()));
  await store.kill();
  await folder[Symbol.asyncDispose]();
});

Deno.test("fifty uploads at once on two nodes into a quota of ten: exactly ten come in", async () => {
  const admin = await first.signIn();
  const data = {
    ...{ username: "vera", password: "four herons at dawn", scope: "/home" },
    quota: { bytes: 0, files: 10 },
  };
  const json = { what: "user", current_password: first.server.password, data };
  assert.equal(await statusOf(first.call("POST", "/api/users", { token: admin, json })), 201);
  const token = await second.signIn("vera", "four herons at dawn");
  const statuses = await Promise.all(Array.from({ length: 50 }, (_, index) => {
    const node = index % 2 === 0 ? first : second;
    return statusOf(node.call("POST", `/api/resources/${index}`, { token, body: "x" }));
  }));
  const count = (status: number) => statuses.filter((each) => each === status).length;
  assert.deepEqual([count(200), count(507)], [10, 40], statuses.join(" "));
  assert.equal([...Deno.readDirSync(join(root, "home"))].length, 10);
  for (const node of nodes) {
    const { quota } = await jsonOf<{ quota: { usedFiles: number } }>(
      node.call("GET", "/api/usage/", { token }),
    );
    assert.equal(quota.usedFiles, 10);
  }
});
