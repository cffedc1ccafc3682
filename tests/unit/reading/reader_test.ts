import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { pack, unpack } from "../../../lib/reading/packet.ts";
import { Reader } from "../../../lib/reading/reader.ts";
import { plant, temporaryFolder, type Tree } from "../../support/files.ts";
import { deny } from "../../support/rules.ts";
import { assertDeniedLater, at, enter } from "../access/visitors.ts";

async function stage(tree: Tree) {
  const folder = await temporaryFolder();
  await plant(folder.path, tree);
  const reader = new Reader();
  return {
    root: folder.path,
    reader,
    access: (as: Parameters<typeof enter>[1] = {}) => enter(folder.path, as),
    async [Symbol.asyncDispose]() {
      reader.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("the reader refuses as the gate does, whatever it is asked", async () => {
  await using s = await stage({ "secret.srt": "", folder: {} });
  Deno.symlinkSync("/etc/hosts", join(s.root, "out.srt"));
  await new Deno.Command("mkfifo", { args: [join(s.root, "pipe.srt")] }).output();
  const denied = s.access({ rules: [deny("/secret.srt")] });
  const weak = s.access({ perm: { download: false } });
  for (const call of ["describe", "convert"] as const) {
    await assertDeniedLater(s.reader[call](denied, at("/secret.srt")), "forbidden", call);
    await assertDeniedLater(s.reader[call](weak, at("/secret.srt")), "forbidden", call);
    await assertDeniedLater(s.reader[call](s.access(), at("/out.srt")), "forbidden", call);
    await assertDeniedLater(s.reader[call](s.access(), at("/none")), "not_found", call);
    await assertDeniedLater(s.reader[call](s.access(), at("/folder")), "is_folder", call);
    await assertDeniedLater(s.reader[call](s.access(), at("/pipe.srt")), "not_a_file", call);
  }
  const hash = (access = s.access(), path = "/secret.srt") =>
    s.reader.hash(access, at(path), "md5");
  await assertDeniedLater(hash(denied), "forbidden");
  await assertDeniedLater(hash(weak), "forbidden");
  await assertDeniedLater(hash(s.access(), "/out.srt"), "forbidden");
  await assertDeniedLater(hash(s.access(), "/pipe.srt"), "not_a_file");
  await assertDeniedLater(s.reader.find(denied, at("/secret.srt")), "forbidden");
});

Deno.test("the reader stops when it is told to, and goes on with the others", async () => {
  await using s = await stage({ "huge.bin": "", "a.txt": "hello" });
  Deno.truncateSync(join(s.root, "huge.bin"), 2 ** 40);
  const controller = new AbortController();
  const huge = s.reader.hash(s.access(), at("/huge.bin"), "sha512", controller.signal);
  const small = await s.reader.hash(s.access(), at("/a.txt"), "md5");
  assert.equal(small, "5d41402abc4b2a76b9719d911017c592");
  controller.abort();
  await assert.rejects(huge, { name: "AbortError" });
});

Deno.test("closing the reader ends what is under way", async () => {
  await using s = await stage({ "huge.bin": "" });
  Deno.truncateSync(join(s.root, "huge.bin"), 2 ** 40);
  const huge = s.reader.hash(s.access(), at("/huge.bin"), "md5");
  s.reader.close();
  await assertDeniedLater(huge, "internal");
});

Deno.test("a packet comes apart as it was put together", () => {
  fc.assert(fc.property(fc.json(), fc.uint8Array(), (json, body) => {
    const head = JSON.parse(json);
    const found = unpack(pack(head, body));
    assert.deepEqual(found.head, JSON.parse(JSON.stringify(head)));
    assert.deepEqual([...found.body], [...body]);
  }));
});
