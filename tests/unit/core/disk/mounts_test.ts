import assert from "node:assert/strict";
import { libc } from "../../../../lib/server/core/disk/libc.ts";
import {
  forbiddenAmong,
  Mounts,
  parseMounts,
  SlowDiskError,
} from "../../../../lib/server/core/disk/mounts.ts";
import { decodeName } from "../../../../lib/shared/entry_names.ts";
import { workerName } from "../../../../lib/server/core/disk/waiting_thread.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";
import { ensureFuse, mountFuse } from "../../../support/disks/fuse.ts";

const parse = (...lines: string[]) => parseMounts(lines.join("\n"));

Deno.test("a table that is cut short or empty has no mounts in it", () => {
  assert.deepEqual(parse(""), []);
  assert.deepEqual(parse("36 35 98:0 /", "x y"), []);
});

Deno.test("the table of mounts is read as the kernel writes it", () => {
  const mounts = parse(
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
    "36 27 0:45 /sub /srv/nas rw,noatime master:1 shared:2 - nfs4 nas:/ rw,vers=4.2",
    String.raw`37 27 0:46 / /srv/a\040b\134c\011 rw - fuse.sshfs a-b rw`,
  );
  assert.deepEqual(mounts, [
    { point: "/", device: "254:0", type: "ext4" },
    { point: "/srv/nas", device: "0:45", type: "nfs4" },
    { point: "/srv/a b\\c\t", device: "0:46", type: "fuse.sshfs" },
  ]);
});

Deno.test("names of mount points that are UTF-8, or are not, are spelled as the disk spells them", () => {
  const pointOf = (...name: number[]) => {
    const bytes = new TextEncoder().encode("36 27 0:45 / /srv/? rw - cifs //a/b rw");
    const at = bytes.indexOf("?".charCodeAt(0));
    const line = [...bytes.subarray(0, at), ...name, ...bytes.subarray(at + 1)];
    return parseMounts(decodeName(new Uint8Array(line)))[0]?.point;
  };
  assert.equal(pointOf(0xc3, 0xbc), "/srv/ü");
  assert.equal(pointOf(0xfc), "/srv/\ueffc");
  assert.equal(pointOf(0x80), "/srv/\uef80");
});

Deno.test("of two mounts at one point the upper one counts", () => {
  const mounts = parse(
    "36 27 0:45 / /srv rw - nfs4 nas:/ rw",
    "37 36 8:1 / /srv rw - ext4 /dev/sda1 rw",
  );
  assert.deepEqual(mounts, [{ point: "/srv", device: "8:1", type: "ext4" }]);
});

Deno.test("a thread may wait for its devices alone, and for what their automounter mounts", () => {
  const nas = { point: "/srv/nas", device: "0:45", type: "nfs4" };
  const twice = { point: "/srv/again", device: "0:45", type: "nfs4" };
  const auto = { point: "/srv/auto", device: "0:46", type: "autofs" };
  const mounted = { point: "/srv/auto/x", device: "0:47", type: "nfs4" };
  const all = [nas, twice, auto, mounted];
  assert.deepEqual(forbiddenAmong(all, new Set()), all);
  assert.deepEqual(forbiddenAmong(all, new Set(["0:45"])), [auto, mounted]);
  assert.deepEqual(forbiddenAmong(all, new Set(["0:46"])), [nas, twice]);
  assert.deepEqual(forbiddenAmong(all, new Set(["0:47"])), [nas, twice, auto]);
});

Deno.test("a Worker's name tells it which devices it may wait for, and its Workers are named alike", () => {
  assert.equal(workerName("listingWorker"), "listingWorker");
  assert.equal(workerName("slow disks", ["0:45", "0:46"]), "slow disks+disks=0:45,0:46");
});

Deno.test("a mount that comes and goes is refused from then to then, with all below it", async () => {
  await refusesMeanwhile(new Mounts(libc, new Set()));
});

Deno.test("a thread that watches the table refuses such a mount as well", async () => {
  const guarded = new Mounts(libc, new Set());
  assert.equal(guarded.slow.length, 0);
  guarded.watch();
  await refusesMeanwhile(guarded);
});

Deno.test("a thread that watches the table reads it once while mounts stay as they are", async () => {
  if (!libc) throw new Error("Cannot test: there is no C library");
  const { openat } = libc;
  let opened = 0;
  const counting = {
    ...libc,
    openat: (...args: Parameters<typeof openat>) => (opened++, openat(...args)),
  };
  const guarded = new Mounts(counting, new Set());
  guarded.watch();
  for (let round = 0; round < 3; round++) {
    guarded.assertQuick("/");
    await later();
  }
  assert.equal(opened, 2);
});

async function refusesMeanwhile(guarded: Mounts): Promise<void> {
  await ensureFuse();
  await using source = await temporaryFolder();
  await using folder = await temporaryFolder();
  const [point, beside] = [`${folder.path}/nas`, `${folder.path}/nas2`];
  Deno.mkdirSync(point);
  const pass = (path: string) => {
    try {
      guarded.assertQuick(path);
      return true;
    } catch (error) {
      assert.ok(error instanceof SlowDiskError);
      assert.equal(error.code, "ETIMEDOUT");
      return false;
    }
  };
  assert.equal(pass(point), true);
  {
    await using _mount = await mountFuse(source.path, point);
    await later();
    assert.deepEqual([point, `${point}/a`, `${point}/a/b`].map(pass), [false, false, false]);
    assert.deepEqual([folder.path, beside, `${beside}/a`, "/"].map(pass), [true, true, true, true]);
    assert.throws(() => guarded.assertQuickChild(folder.path, "nas"), SlowDiskError);
    for (const name of ["nas2", "na", "as", "s"]) guarded.assertQuickChild(folder.path, name);
    guarded.assertQuickChild(`${folder.path}/x`, "nas");

    const device = guarded.concerning(`${point}/a`, "entry")[0]?.device ?? "";
    new Mounts(libc, new Set([device])).assertQuick(`${point}/a`);
    new Mounts(libc, "all").assertQuick(`${point}/a`);
    assert.deepEqual(guarded.concerning(folder.path, "entry"), []);
    assert.equal(guarded.concerning(folder.path, "below")[0]?.point, point);

    const moved = `${folder.path}-moved`;
    Deno.renameSync(folder.path, moved);
    try {
      await later();
      assert.deepEqual([`${moved}/nas`, point].map(pass), [false, true]);
    } finally {
      Deno.renameSync(moved, folder.path);
    }
  }
  await later();
  assert.equal(pass(point), true);
  assert.equal(guarded.isPoint(point), false);
}

/** Longer than the table is relied on. */
async function later(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 300));
}
