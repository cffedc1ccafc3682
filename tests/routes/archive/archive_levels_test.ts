import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { startApp } from "../../support/server/app.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { treeOf, unpack } from "../../support/disks/unpack.ts";

/** Long enough for parts of it to be deflated on other threads. */
const size = 21_000_000;
const noiseSize = 5_000_000;

const app = await startApp({
  tree: {
    tree: {
      "a text.log": textOf(size),
      "b noise.log": noiseOf(noiseSize),
      "c text.log": textOf(size / 3),
      "d small.txt": "small",
      "e small noise.log": noiseOf(100_000),
      "f empty.txt": "",
    },
    few: { "one.txt": "1" },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string) => app.call("GET", `/api/raw${path}`, { token });
const bytesOf = async (path: string) => await (await get(path)).bytes();

const kinds = ["algo=tar.gz", "algo=zip&compress=true"];

for (const kind of kinds) {
  const unpacked = kind === "algo=tar.gz" ? "tar.gz" : "zip";

  for (const level of ["", "&level=1", "&level=5", "&level=9"]) {
    Deno.test(`?${kind}${level} unpacks to the same tree`, async () => {
      await using folder = await temporaryFolder();
      for (const name of ["tree", "few"]) {
        const into = join(folder.path, name);
        await Deno.mkdir(into);
        await unpack(unpacked, await bytesOf(`/${name}/?${kind}${level}`), into);
        assert.deepEqual(treeOf(into), treeOf(join(app.root, name)));
      }
    });
  }

  Deno.test(`?${kind} is the same bytes each time, beside others and alone`, async () => {
    const path = `/tree/?${kind}`;
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => bytesOf(path)));
    for (const other of [...others, await bytesOf(path)]) {
      assert.ok(Buffer.compare(first ?? new Uint8Array(), other) === 0);
    }
  });

  Deno.test(`?${kind} is smaller at a higher level, and never larger than the files`, async () => {
    const [fast, small] = [
      await bytesOf(`/tree/?${kind}&level=1`),
      await bytesOf(`/tree/?${kind}&level=9`),
    ];
    assert.ok(small.length < fast.length);
    const noise = await bytesOf(`/tree/?${kind}&files=b%20noise.log`);
    assert.ok(noise.length < noiseSize * 1.001 + 2_048, String(noise.length));
  });

  Deno.test(`?${kind} that was broken off does not harm the next one`, async () => {
    const whole = await bytesOf(`/tree/?${kind}`);
    for (let time = 0; time < 5; time++) {
      const reader = (await get(`/tree/?${kind}&level=9`)).body?.getReader();
      await reader?.read();
      await reader?.cancel();
    }
    assert.ok(Buffer.compare(await bytesOf(`/tree/?${kind}`), whole) === 0);
  });
}

Deno.test("a tar.gz is one member, which Node reads to its end", async () => {
  const bytes = await bytesOf("/tree/?algo=tar.gz");
  assert.deepEqual(gunzipSync(bytes), Buffer.from(await bytesOf("/tree/?algo=tar")));
});

Deno.test("a level other than 1 to 9 is refused", async () => {
  for (const level of ["0", "10", "-1", "1.5", "fast", "%31%00"]) {
    const path = `/tree/?algo=tar.gz&level=${level}`;
    await assertRefused(await get(path), 400, "invalid_option", level);
  }
});

/** Text whose lines differ. */
function textOf(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const encoder = new TextEncoder();
  for (let at = 0, line = 0; at < length; line++) {
    const text = `${line} ${Math.imul(line, 0x9e37_79b1) >>> 8} the quick brown fox\n`;
    at += encoder.encodeInto(text, bytes.subarray(at)).written;
  }
  return bytes;
}

function noiseOf(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  return bytes;
}
