import assert from "node:assert/strict";
import { connectionLimits } from "../../../lib/server/boot/connection_limits.ts";
import { type Libc, loadLibc } from "../../../lib/server/core/sandbox/libc.ts";

const libc = loadLibc();

/** The C library of a system with another limit of descriptors. */
function limitedTo(count: bigint): Libc | null {
  return libc && {
    ...libc,
    getrlimit(_which, bytes) {
      if (!(bytes instanceof Uint8Array)) throw new TypeError();
      new BigUint64Array(bytes.buffer).set([count / 2n, count]);
      return 0;
    },
  };
}

const boundOf = (count: bigint, threads = 1) =>
  connectionLimits(limitedTo(count), threads).connections;

Deno.test("connectionLimits() gives requests 30 s to arrive, and idle connections 75 s", () => {
  const { headersMs, idleMs } = connectionLimits(null, 1);
  assert.deepEqual([headersMs, idleMs], [30_000, 75_000]);
});

Deno.test("connectionLimits() leaves descriptors for files, and shares the others among threads", {
  ignore: libc === null,
}, () => {
  assert.equal(boundOf(512n), 224);
  assert.equal(boundOf(1024n), 480);
  assert.equal(boundOf(1024n, 2), 240);
  assert.equal(boundOf(70n), 16);
  assert.equal(boundOf(2n ** 64n - 1n), 4096);
  assert.equal(boundOf(2n ** 64n - 1n, 4), 1024);
});
