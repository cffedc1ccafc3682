import assert from "node:assert/strict";
import { join } from "node:path";
import { startProbe } from "../../support/probes/probe_server.ts";

for (const workers of [1, 2]) {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.test(`${signal} lets downloads under way finish, with ${workers} threads`, async () => {
      await using probe = await startProbe({ workers });
      const slow = await Promise.all([1, 2, 3, 4].map(() => fetch(`${probe.url}/slow?12`)));
      Deno.kill(probe.pid, signal);
      const bodies = await Promise.all(slow.map((answer) => answer.bytes()));
      assert.deepEqual(bodies.map(({ length }) => length), [12_000, 12_000, 12_000, 12_000]);
      assert.equal(await probe.ended, 0);
      const closings = probe.output().match(/The probe has closed its store/g);
      assert.equal(closings?.length, workers);
    });
  }
}

Deno.test("with --drain-delay SIGTERM first fails readiness, on every thread, and serves on", async () => {
  await using probe = await startProbe({ workers: 2, flags: ["--drain-delay", "4s"] });
  const start = performance.now();
  Deno.kill(probe.pid, "SIGTERM");
  const statusOf = async (path: string) => {
    const answer = await fetch(`${probe.url}${path}`, { headers: { connection: "close" } });
    await answer.body?.cancel();
    return answer.status;
  };
  await until(async () => await statusOf("/health/ready") === 503);
  const statuses = await Promise.all([1, 2, 3, 4, 5, 6].map(() => statusOf("/thread")));
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200]);
  assert.equal(await probe.ended, 0);
  assert(performance.now() - start >= 4000);
});

Deno.test("SIGTERM lets an upload under way finish, and refuses new requests", async () => {
  await using probe = await startProbe({}, 60_000);
  const { upload, writer } = await startUpload(probe);
  Deno.kill(probe.pid, "SIGTERM");
  await until(() => isTurnedAway(probe.url));

  await writer.write(new Uint8Array(500));
  await writer.close();
  assert.equal(await upload, "stored");
  assert.equal(sizeOf(join(probe.root, "uploaded.bin")), 1000);
  assert.equal(await probe.ended, 0);
});

for (const workers of [1, 2]) {
  Deno.test(`SIGTERM breaks off what takes too long, with ${workers} threads`, async () => {
    await using probe = await startProbe({ workers }, 200);
    const slow = await fetch(`${probe.url}/slow?1000`);
    const start = performance.now();
    Deno.kill(probe.pid, "SIGTERM");
    await assert.rejects(() => slow.bytes());
    assert.equal(await probe.ended, 0);
    // What was broken off would have taken 50 s.
    assert(performance.now() - start < 20_000);
  });
}

Deno.test("an upload that takes too long is cut short, and may remove what it wrote", async () => {
  await using probe = await startProbe({}, 200);
  const { upload, writer } = await startUpload(probe);
  Deno.kill(probe.pid, "SIGTERM");
  assert.equal(await probe.ended, 0);
  assert.notEqual(await upload, "stored");
  assert.equal(sizeOf(join(probe.root, "uploaded.bin")), -1);
  await writer.abort().catch(() => {});
});

Deno.test("a second signal ends the server at once", async () => {
  await using probe = await startProbe({}, 60_000);
  const slow = await fetch(`${probe.url}/slow?1000`);
  Deno.kill(probe.pid, "SIGTERM");
  await until(() => isTurnedAway(probe.url));
  Deno.kill(probe.pid, "SIGTERM");
  assert.equal(await probe.ended, 143);
  await assert.rejects(() => slow.bytes());
});

/** Half of an upload of 1000 bytes, which has come to the disk. */
async function startUpload({ url, root }: Awaited<ReturnType<typeof startProbe>>) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const upload = fetch(`${url}/upload`, { method: "POST", body: readable })
    .then((answer) => answer.text(), String);
  await writer.write(new Uint8Array(500));
  await until(() => sizeOf(join(root, "uploaded.bin")) === 500);
  return { upload, writer };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!await condition()) {
    if (Date.now() > deadline) throw new Error("It did not come to that within 20 s");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether a new request gets no more than "the server is stopping", or not even a connection. */
async function isTurnedAway(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/thread`, { headers: { connection: "close" } });
    await answer.body?.cancel();
    return answer.status === 503;
  } catch {
    return true;
  }
}

function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch {
    return -1;
  }
}
