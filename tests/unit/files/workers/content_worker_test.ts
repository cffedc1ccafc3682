import assert from "node:assert/strict";
import { join } from "node:path";
import { openContentWorker } from "../../../../lib/server/files/workers/workers.ts";
import { plant, temporaryFolder, type Tree } from "../../../support/disks/files.ts";
import { fc, runs } from "../../../support/run/property.ts";
import { deny } from "../../../support/data/rules.ts";
import { assertDeniedLater, at, enter } from "../../core/access/visitors.ts";

async function setUp(tree: Tree) {
  const folder = await temporaryFolder();
  await plant(folder.path, tree);
  const contentWorker = openContentWorker();
  return {
    root: folder.path,
    contentWorker,
    access: (as: Parameters<typeof enter>[1] = {}) => enter(folder.path, as),
    async [Symbol.asyncDispose]() {
      contentWorker.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("the content worker refuses as the gate does, whatever it is asked", async () => {
  await using s = await setUp({ "secret.srt": "", folder: {} });
  Deno.symlinkSync("/etc/hosts", join(s.root, "out.srt"));
  await new Deno.Command("mkfifo", { args: [join(s.root, "pipe.srt")] }).output();
  const denied = s.access({ rules: [deny("/secret.srt")] });
  const weak = s.access({ perm: { download: false } });
  for (const call of ["describe", "convert"] as const) {
    await assertDeniedLater(
      s.contentWorker[call]({ access: denied, path: at("/secret.srt") }),
      "forbidden",
      call,
    );
    await assertDeniedLater(
      s.contentWorker[call]({ access: weak, path: at("/secret.srt") }),
      "forbidden",
      call,
    );
    await assertDeniedLater(
      s.contentWorker[call]({ access: s.access(), path: at("/out.srt") }),
      "forbidden",
      call,
    );
    await assertDeniedLater(
      s.contentWorker[call]({ access: s.access(), path: at("/none") }),
      "not_found",
      call,
    );
    await assertDeniedLater(
      s.contentWorker[call]({ access: s.access(), path: at("/folder") }),
      "is_folder",
      call,
    );
    await assertDeniedLater(
      s.contentWorker[call]({ access: s.access(), path: at("/pipe.srt") }),
      "not_a_file",
      call,
    );
  }
  const hash = (access = s.access(), path = "/secret.srt") =>
    s.contentWorker.hash({ access, path: at(path), algorithm: "md5" });
  await assertDeniedLater(hash(denied), "forbidden");
  await assertDeniedLater(hash(weak), "forbidden");
  await assertDeniedLater(hash(s.access(), "/out.srt"), "forbidden");
  await assertDeniedLater(hash(s.access(), "/pipe.srt"), "not_a_file");
  await assertDeniedLater(
    s.contentWorker.find({ access: denied, path: at("/secret.srt") }),
    "forbidden",
  );
});

Deno.test("the content worker stops when it is told to, and goes on with the others", async () => {
  await using s = await setUp({ "huge.bin": "", "a.txt": "hello" });
  Deno.truncateSync(join(s.root, "huge.bin"), 2 ** 40);
  const controller = new AbortController();
  const huge = s.contentWorker.hash(
    { access: s.access(), path: at("/huge.bin"), algorithm: "sha512" },
    controller,
  );
  const small = await s.contentWorker.hash({
    access: s.access(),
    path: at("/a.txt"),
    algorithm: "md5",
  });
  assert.equal(small, "5d41402abc4b2a76b9719d911017c592");
  controller.abort();
  await assert.rejects(huge, { name: "AbortError" });
});

Deno.test("closing the content worker ends what is under way", async () => {
  await using s = await setUp({ "huge.bin": "" });
  Deno.truncateSync(join(s.root, "huge.bin"), 2 ** 40);
  const huge = s.contentWorker.hash({
    access: s.access(),
    path: at("/huge.bin"),
    algorithm: "md5",
  });
  s.contentWorker.close();
  await assertDeniedLater(huge, "internal");
});

/** Texts whose characters lie across every place where a piece may end, and need escapes. */
const writings = fc.array(
  fc.constantFrom("a", '"', "\\", "\n", "\x01", "ж", "日", "本", "é"),
  { minLength: 1, maxLength: 40 },
).map((signs) => signs.join("").repeat(Math.ceil(150_000 / signs.length)));

const encodings: [name: string, encode: (text: string) => Uint8Array][] = [
  ["utf-8", (text) => new TextEncoder().encode(text.replaceAll("日", "😀"))],
  ["utf-8-bom", (text) => new TextEncoder().encode(`\uFEFF${text}`)],
  ["utf-16le-bom", (text) => utf16(`\uFEFF${text.replaceAll("日", "😀")}`, true)],
  ["utf-16be-bom", (text) => utf16(`\uFEFF${text.replaceAll("日", "😀")}`, false)],
];

function utf16(text: string, isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return new Uint8Array(view.buffer);
}

Deno.test("a long text comes in pieces that are the JSON of the whole, to the byte", async () => {
  await using s = await setUp({});
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...encodings), writings, async ([name, encode], writing) => {
      const bytes = encode(writing);
      Deno.writeFileSync(join(s.root, "long.txt"), bytes);
      const { stream } = await s.contentWorker.describe({
        access: s.access(),
        path: at("/long.txt"),
      });
      const json = await new Response(stream.read()).text();
      const { content, encoding, lineEnding, ...rest } = JSON.parse(json);
      const text = new TextDecoder(name.replace("-bom", "")).decode(bytes);
      assert.deepEqual([encoding, content === text], [name, true]);
      assert.equal(json, JSON.stringify({ ...rest, content, encoding, lineEnding }));
    }),
    { numRuns: runs(10) },
  );
});

Deno.test("a text that changes while it is taken breaks off, and ends what reads it", async () => {
  await using s = await setUp({ "long.txt": "a line of text\n".repeat(100_000), "a.txt": "x" });
  const { stream } = await s.contentWorker.describe({ access: s.access(), path: at("/long.txt") });
  const reader = stream.read().getReader();
  await reader.read();
  Deno.writeTextFileSync(join(s.root, "long.txt"), "another line of it\n".repeat(100_000));
  await assert.rejects(async () => {
    while (!(await reader.read()).done);
  }, { code: "not_found" });
  const others = await s.contentWorker.describe({ access: s.access(), path: at("/a.txt") });
  assert.equal((await new Response(others.stream.read()).json()).content, "x");
});

Deno.test("texts that are not taken keep no other waiting", async () => {
  await using s = await setUp({ "long.txt": "a line of text\n".repeat(100_000) });
  const describe = () => s.contentWorker.describe({ access: s.access(), path: at("/long.txt") });
  const idle = await Promise.all(Array.from({ length: 20 }, describe));
  const { stream } = await describe();
  assert.equal((await new Response(stream.read()).json()).content.length, 1_500_000);
  for (const each of idle) each.stream.cancel();
});
