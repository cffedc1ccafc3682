import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { becomesClosed, timesOpen } from "../../support/disks/open_files.ts";

const app = await startApp({ tree: { busy: {} } });
const { url } = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const busy = join(app.root, "busy");
const first = join(busy, "a first.bin");
const empty = join(busy, "y empty.bin");
const last = join(busy, "z last.bin");

/**
 * Six random bits a byte: deflate tries, and no codec shrinks it by more than a quarter. So the
 * server has to wait for the client before it comes to the end.
 */
const letters = new Uint8Array(480 * 64 * 1024);
for (let at = 0; at < letters.length; at += 64 * 1024) {
  crypto.getRandomValues(letters.subarray(at, at + 64 * 1024));
}
for (let at = 0; at < letters.length; at++) letters[at] = 48 + (letters[at] ?? 0) % 64;

function fill(): void {
  for (const { name } of [...Deno.readDirSync(busy)]) {
    Deno.removeSync(join(busy, name), { recursive: true });
  }
  Deno.writeFileSync(first, letters);
  Deno.writeTextFileSync(empty, "");
  Deno.writeTextFileSync(last, "the last");
  Deno.mkdirSync(join(busy, "zz folder"));
  Deno.writeTextFileSync(join(busy, "zz folder/in it.txt"), "1");
}

/** What breaks any archive off. */
const breaks: Record<string, () => void> = {
  "a file vanishes": () => Deno.removeSync(last),
  "the file that is being read shrinks": () => Deno.truncateSync(first, 31_000_000),
  "the file that is being read grows": () => Deno.truncateSync(first, 40_000_000),
  "the file that is being read vanishes": () => Deno.removeSync(first),
  "a folder vanishes": () => Deno.removeSync(join(busy, "zz folder"), { recursive: true }),
};

/** What breaks those off of which every byte was promised; others take a file as they find it. */
const promised: Record<string, () => void> = {
  "a file grows": () => Deno.writeTextFileSync(last, "the last and more"),
  "an empty file grows": () => Deno.writeTextFileSync(empty, "not empty"),
  "an empty file vanishes": () => Deno.removeSync(empty),
  "a file shrinks": () => Deno.truncateSync(last, 3),
  "a file is replaced by one as long": () => {
    Deno.writeTextFileSync(join(busy, "other"), "another.");
    Deno.renameSync(join(busy, "other"), last);
  },
  "a file is rewritten in place": () => {
    Deno.writeTextFileSync(last, "another.");
    Deno.utimeSync(last, 1e9, 1e9);
  },
  "a link takes the place of a file": () => {
    Deno.removeSync(last);
    Deno.symlinkSync("a first.bin", last);
  },
};

/** Who asks for a range, be it all, waits until every byte is known beforehand. */
const whole = { range: "bytes=0-" };
const kinds: [string, Record<string, string>][] = [
  ["", whole],
  ["?files=a%2520first.bin,y%2520empty.bin,z%2520last.bin,zz%2520folder", whole],
  ["?compress=true", {}],
  ["?algo=tar", {}],
  ["?algo=tar.gz", {}],
  ["?algo=tar.zst", {}],
];

/** Begins a download, has the tree changed, and reads on to the end. */
async function readOn(
  query: string,
  more: Record<string, string>,
  change: () => void,
): Promise<number> {
  const headers = { "x-auth": token, ...more };
  const answer = await fetch(`${url}/api/raw/busy/${query}`, { headers });
  assert.ok(answer.ok);
  const reader = answer.body?.getReader();
  assert.ok(reader);
  let length = (await reader.read()).value?.length ?? 0;
  change();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return length;
    length += value.length;
  }
}

for (const [query, more] of kinds) {
  Deno.test(`an archive does not end as if it were whole when the tree changes: ${query}`, async () => {
    const changes = more === whole ? { ...breaks, ...promised } : breaks;
    for (const [told, change] of Object.entries(changes)) {
      fill();
      await assert.rejects(readOn(query, more, change), TypeError, told);
      assert.match(app.log.lines.at(-1) ?? "", /^Broke off: GET \/api\/raw\/busy\/: /);
      await becomesClosed(first);
    }
    fill();
    assert.ok(await readOn(query, more, () => {}) > 0);
  });
}

Deno.test("an archive that is broken off by its reader lets go of the files", async () => {
  fill();
  for (const query of ["", "?compress=true", "?algo=tar", "?algo=tar.gz", "?algo=tar.xz"]) {
    const headers = { "x-auth": token };
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => fetch(`${url}/api/raw/busy/${query}`, { headers })),
    );
    for (const answer of answers) {
      const reader = answer.body?.getReader();
      await reader?.read();
      assert.ok(timesOpen(first) > 0, query);
      await reader?.cancel();
    }
    await becomesClosed(first);
  }
});

Deno.test("an archive that is asked for with HEAD, or not wanted, opens no file", async () => {
  fill();
  // A program that another test starts at this moment may have it open for an instant.
  await becomesClosed(first);
  const requests: [string, Record<string, string>][] = [
    ["HEAD", {}],
    ["GET", { range: "bytes=99999999999-" }],
    ["GET", { ...whole, "if-match": '"x"' }],
    ["GET", { ...whole, "if-none-match": "*" }],
  ];
  for (const [method, headers] of requests) {
    const answer = await app.call(method, "/api/raw/busy/", { token, headers });
    await answer.body?.cancel();
    assert.equal(timesOpen(first), 0);
  }
});
