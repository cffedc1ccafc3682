import assert from "node:assert/strict";
import { join } from "node:path";
import { findPrograms } from "../../../../../lib/server/features/previews/media/programs/find_programs.ts";
import { startReaderHost } from "../../../../../lib/server/features/previews/media/programs/start_host.ts";
import { watchDisk } from "../../../../../lib/server/features/previews/media/programs/watch_disk.ts";
import { plant, plantBytes, temporaryFolder } from "../../../../support/disks/files.ts";

/** A folder as a host has it that listens, that was killed, or that starts. */
async function hostFolder(state: "served" | "left" | "starting") {
  const path = Deno.makeTempDirSync({ dir: "/tmp", prefix: "cubby-host-" });
  await plant(path, { "office-1": { "input.odt": "half a document", made: {} } });
  const listener = Deno.listen({ transport: "unix", path: join(path, "media.sock") });
  // Closing removes the socket; a killed process leaves it.
  if (state === "left") Deno.renameSync(join(path, "media.sock"), join(path, "left.sock"));
  if (state !== "served") listener.close();
  return {
    get isThere() {
      return Array.from(Deno.readDirSync("/tmp")).some(({ name }) => path === join("/tmp", name));
    },
    path,
    async [Symbol.asyncDispose]() {
      if (state === "served") listener.close();
      await Deno.remove(path, { recursive: true }).catch(() => {});
    },
  };
}

Deno.test("a start removes what a killed host has left, and nothing of one that runs", async () => {
  await using left = await hostFolder("left");
  await using served = await hostFolder("served");
  await using starting = await hostFolder("starting");
  const host = await startReaderHost(findPrograms());
  assert.ok(host);
  assert.deepEqual([left.isThere, served.isThere, starting.isThere], [false, true, true]);
  await host.stop();
  assert.throws(() => Deno.statSync(host.folder), Deno.errors.NotFound);
});

for (
  const [what, grow, isStopped] of [
    ["with one large file", (path: string) => plantBytes(join(path, "a"), 3_000_000), true],
    ["with many files deep below", async (path: string) => {
      await Deno.mkdir(join(path, "b", "c"), { recursive: true });
      for (let file = 0; file < 30; file++) {
        await plantBytes(join(path, "b", "c", String(file)), 100_000);
      }
    }, true],
    ["by holes alone", async (path: string) => {
      using file = await Deno.open(join(path, "holes"), { create: true, write: true });
      await file.truncate(100_000_000);
    }, false],
  ] as const
) {
  Deno.test(`a program is ${isStopped ? "stopped" : "not stopped"} that fills the disk ${what}`, async () => {
    await using folder = await temporaryFolder();
    const { promise: stopped, resolve } = Promise.withResolvers<unknown>();
    using _watch = watchDisk({ stop: resolve }, folder.path, 2_000_000);
    await grow(folder.path);
    if (!isStopped) setTimeout(() => resolve("not stopped"), 600);
    assert.equal(await stopped, isStopped ? "output" : "not stopped");
  });
}
