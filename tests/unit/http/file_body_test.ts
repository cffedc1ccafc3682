import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { delay } from "../../../lib/shared/delay.ts";
import type { ReadableFile } from "../../../lib/server/core/access/file_handle.ts";
import { fileBody } from "../../../lib/server/http/response/file_body.ts";

const mebibyte = 2 ** 20;
const block = 64 * 1024;
const piece = 256 * 1024;

/** A file of some mebibytes on the disk. */
async function plant(mebibytes: number): Promise<string> {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, new Uint8Array(mebibytes * mebibyte));
  return path;
}

/** Stands for a file's own stream. */
const native = new ReadableStream<Uint8Array<ArrayBuffer>>();

/** A file in memory, each block with the byte of its index: reads take no time. */
function inMemory(size: number, read?: ReadableFile["read"]) {
  let position = 0;
  const file = {
    closed: 0,
    readable: native,
    read: read ?? ((into: Uint8Array<ArrayBuffer>) => {
      const count = Math.min(into.length, size - position);
      for (let at = 0; at < count; at += block) {
        into.fill((position + at) / block % 251, at, Math.min(at + block, count));
      }
      position += count;
      return Promise.resolve(count === 0 ? null : count);
    }),
    seek: () => Promise.resolve(0),
    close: () => void file.closed++,
    [Symbol.dispose]: () => file.close(),
  };
  return file;
}

/** Stops `performance.now()` until it is disposed of. */
function stoppedClock() {
  const { now } = performance;
  let time = now.call(performance);
  performance.now = () => time;
  return {
    pass: (ms: number) => void (time += ms),
    [Symbol.dispose]: () => void (performance.now = now),
  };
}

/** The digest of all bytes of a file. */
async function digestOf(file: ReadableFile, size: number): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fileBody(file, size)) hash.update(chunk);
  return hash.digest("hex");
}

/** Reads one answer from a raw socket, pausing after each of some amounts of bytes. */
async function download(port: number, pauses: number[]): Promise<string> {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  await conn.write(
    new TextEncoder().encode("GET / HTTP/1.1\r\nHost: cubby.test\r\nConnection: close\r\n\r\n"),
  );
  const hash = createHash("sha256");
  const buffer = new Uint8Array(64 * 1024);
  const waits = [...pauses];
  let inHead = true;
  let total = 0;
  for (let count = await conn.read(buffer); count !== null; count = await conn.read(buffer)) {
    let bytes = buffer.subarray(0, count);
    if (inHead) {
      const end = new TextDecoder("latin1").decode(bytes).indexOf("\r\n\r\n");
      assert.ok(end > 0);
      bytes = bytes.subarray(end + 4);
      inHead = false;
    }
    hash.update(bytes);
    total += bytes.length;
    while (waits[0] !== undefined && total >= waits[0]) {
      waits.shift();
      await delay(30);
    }
  }
  return hash.digest("hex");
}

/** Whether a file is still open, after the time that its closing may take. */
async function isClosed(file: Deno.FsFile): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      file.statSync();
    } catch {
      return true;
    }
    await delay(10);
  }
  return false;
}

Deno.test("fileBody() sends the right bytes to readers that pause", async () => {
  const size = 48 * mebibyte;
  const digest = await digestOf(inMemory(size), size);
  const files: ReturnType<typeof inMemory>[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    const file = inMemory(size);
    files.push(file);
    return new Response(fileBody(file, size), { headers: { "content-length": String(size) } });
  });
  try {
    const readers = Array.from({ length: 6 }, (_, reader) => {
      const pauses = Array.from({ length: 12 }, (_, index) => (11 + 3 * index) * mebibyte + reader);
      return download(server.addr.port, pauses);
    });
    for (const got of await Promise.all(readers)) assert.equal(got, digest);
    assert.deepEqual(files.map(({ closed }) => closed), Array(6).fill(1));
  } finally {
    await server.shutdown();
  }
});

Deno.test("fileBody() sends 16 downloads in large pieces, and others once one has ended", async () => {
  const size = 9 * mebibyte;
  const open = () => fileBody(inMemory(size), size);
  const bodies = Array.from({ length: 17 }, open);
  assert.deepEqual(bodies.map((body) => body === native), [...Array(16).fill(false), true]);
  for (const body of bodies.slice(0, 16)) await body.cancel();
  const again = open();
  assert.notEqual(again, native);
  for await (const chunk of again) assert.equal(chunk.length, piece);
  const last = Array.from({ length: 17 }, open);
  assert.equal(last.filter((body) => body === native).length, 1);
  for (const body of last.slice(0, 16)) await body.cancel();
});

Deno.test("fileBody() leaves short bodies to the file's own stream", () => {
  const size = 8 * mebibyte;
  assert.equal(fileBody(inMemory(size), size), native);
});

Deno.test("fileBody() gives small pieces to a reader that became slow, and counts it no longer", async () => {
  using clock = stoppedClock();
  const size = 40 * mebibyte;
  const open = () => fileBody(inMemory(size), size);
  const bodies = Array.from({ length: 16 }, open);
  const reader = bodies[0]?.getReader();
  const next = async () => (await reader?.read())?.value?.length;
  for (let index = 0; index < 32; index++) assert.equal(await next(), piece);
  clock.pass(1_001);
  for (let index = 0; index < 128; index++) assert.equal(await next(), block);
  assert.equal(open(), native);
  clock.pass(1_001);
  assert.equal(await next(), block);
  const another = open();
  assert.notEqual(another, native);
  for (const body of [another, ...bodies.slice(1)]) await body.cancel();
  await reader?.cancel();
});

Deno.test("fileBody() ends with a file that was cut short, and closes it", async () => {
  const path = await plant(9);
  const file = await Deno.open(path);
  const reader = fileBody(file, 9 * mebibyte).getReader();
  let total = (await reader.read()).value?.length ?? 0;
  await Deno.truncate(path, 2 * mebibyte + 5);
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    total += next.value.length;
  }
  assert.equal(total, 2 * mebibyte + 5);
  assert.ok(await isClosed(file));
  await Deno.remove(path);
});

Deno.test("fileBody() sends no more than the length of a file that grows", async () => {
  const path = await plant(10);
  const file = await Deno.open(path);
  let total = 0;
  for await (const chunk of fileBody(file, 9 * mebibyte + 3)) total += chunk.length;
  assert.equal(total, 9 * mebibyte + 3);
  assert.ok(await isClosed(file));
  await Deno.remove(path);
});

Deno.test("fileBody() fills its buffers from reads that return less", async () => {
  const size = 20 * mebibyte;
  let position = 0;
  const file = inMemory(size, (into) => {
    const count = Math.min(into.length, 50_000, size - position);
    position += count;
    return Promise.resolve(count === 0 ? null : count);
  });
  const lengths = new Set<number>();
  for await (const chunk of fileBody(file, size)) lengths.add(chunk.length);
  assert.deepEqual([...lengths], [piece]);
  assert.equal(file.closed, 1);
});

Deno.test("fileBody() closes the file once when a cancellation meets a read", async () => {
  const started = Promise.withResolvers<void>();
  const read = Promise.withResolvers<number>();
  const file = inMemory(9 * mebibyte, () => {
    started.resolve();
    return read.promise;
  });
  const reader = fileBody(file, 9 * mebibyte).getReader();
  const pending = reader.read();
  await started.promise;
  const cancelled = reader.cancel();
  await delay(5);
  assert.equal(file.closed, 0);
  read.resolve(10);
  await cancelled;
  assert.equal((await pending).done, true);
  assert.equal(file.closed, 1);
});

Deno.test("fileBody() fails with the file, and closes it", async () => {
  const file = inMemory(9 * mebibyte, () => Promise.reject(new Error("EIO")));
  const reader = fileBody(file, 9 * mebibyte).getReader();
  await assert.rejects(reader.read(), /EIO/);
  assert.equal(file.closed, 1);
});
