/** Listings of a folder that has several thousand entries. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Entry, Resource } from "../../../lib/shared/schemas/entry.ts";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";
import { startApp } from "../../support/server/app.ts";
import { plantMany } from "../../support/disks/files.ts";
import { denyMatching } from "../../support/data/rules.ts";

/** More than a chunk of names, and than the entries that are read between two pauses. */
const count = 4_200;

const app = await startApp({ tree: { large: {}, target: "four" } });
const { url } = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const { token: ruled } = await app.addUser("ruled", {
  rules: [denyMatching("/large/.*7\\.txt$")],
  hideDotfiles: true,
});

/** A name by its number: some need escapes in JSON, one in eight is not UTF-8. */
function nameOf(number: number): string {
  const endings = [".txt", ".JPG", " #%?日本 `.txt", ' "\\.mp4', "\n", "", "\uefff.pdf", "é.txt"];
  return `${number % 50 === 49 ? "." : ""}${number}${endings[number % endings.length]}`;
}

const large = join(app.root, "large");
const folders = ["B folder", "a folder", "c folder"];
{
  using folder = disk.folder(large);
  for (const name of folders) folder.makeFolder(name);
  for (let number = 0; number < count; number++) {
    using file = folder.file(nameOf(number), "create");
    file.setSize((number * 7) % 1_000);
    const time = new Date(1_600_000_000_000 + ((number * 13) % 500) * 1_000);
    file.setTimes({ ...file.facts(), atime: time, mtime: time });
  }
  folder.makeLink("a link", "../target");
  folder.makeLink("a link that leads out", "/etc");
}

async function textOf(query = "", as = token, path = "/large"): Promise<string> {
  const answer = await fetch(`${url}/api/resources${path}?${query}`, { headers: { "x-auth": as } });
  assert.equal(answer.status, 200, query);
  const length = answer.headers.get("content-length");
  const bytes = await answer.bytes();
  if (length !== null) assert.equal(Number(length), bytes.length);
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

type Listing = Resource & { items: Entry[] };
const list = async (...args: Parameters<typeof textOf>): Promise<Listing> =>
  JSON.parse(await textOf(...args));
const namesIn = ({ items }: Listing) => items.map(({ name }) => name);

Deno.test("a large folder is one plain JSON text with the facts of each entry", async () => {
  const text = await textOf();
  const { items, numDirs, numFiles }: Listing = JSON.parse(text);
  assert.equal(text, JSON.stringify(JSON.parse(text)));
  assert.deepEqual([numDirs, numFiles, items.length], [3, count + 2, count + 5]);
  assert.deepEqual(items.slice(0, 3).map(({ name }) => name), ["a folder", "B folder", "c folder"]);
  const byName = new Map(items.map((item) => [item.name, item]));
  for (let number = 0; number < count; number++) {
    const name = nameOf(number);
    const { path, size, modified, isDir, isSymlink } = byName.get(name) ?? {};
    assert.deepEqual({ path, size, modified, isDir, isSymlink }, {
      path: `/large/${name}`,
      size: (number * 7) % 1_000,
      modified: new Date(1_600_000_000_000 + ((number * 13) % 500) * 1_000).toISOString(),
      isDir: false,
      isSymlink: false,
    });
  }
  assert.equal(byName.get("a link")?.size, 4);
  assert.equal(byName.get("a link that leads out")?.type, "invalid_link");
});

for (const order of ["asc", "desc"]) {
  Deno.test(`windows of a large folder are parts of its order (${order})`, async () => {
    const sign = order === "asc" ? 1 : -1;
    const plain = await list("sort=name&order=asc");
    const ranks = new Map(namesIn(plain).map((name, rank) => [name, rank]));
    const numberOf: Record<string, (entry: Entry) => number> = {
      name: ({ name }) => ranks.get(name) ?? NaN,
      size: ({ size, type }) => type === "invalid_link" ? "/etc".length : size,
      modified: ({ modified }) => Date.parse(modified),
    };
    for (const sort of ["name", "size", "modified"]) {
      for (const filter of ["", "&filter=1+TXT"]) {
        const query = `sort=${sort}&order=${order}${filter}`;
        const whole = await list(query);
        const key = (entry: Entry) => numberOf[sort]?.(entry) ?? NaN;
        const expected = whole.items.toSorted((a, b) =>
          Number(b.isDir) - Number(a.isDir) || sign * (key(a) - key(b)) ||
          (ranks.get(a.name) ?? NaN) - (ranks.get(b.name) ?? NaN)
        );
        assert.deepEqual(namesIn(whole), expected.map(({ name }) => name), query);
        const left = new Set(namesIn(whole));
        const byName = whole.items.toSorted((a, b) =>
          (ranks.get(a.name) ?? NaN) - (ranks.get(b.name) ?? NaN)
        );
        assert.deepEqual(byName, plain.items.filter(({ name }) => left.has(name)), query);
        assert.equal(whole.items.length, (whole.numDirs ?? 0) + (whole.numFiles ?? 0));
        for (const [offset, limit] of [[0, 50], [290, 700], [9_000, 50]]) {
          const { items } = await list(`${query}&offset=${offset}&limit=${limit}`);
          const [start = 0, length = 0] = [offset, limit];
          assert.deepEqual(items, whole.items.slice(start, start + length), `${query} ${offset}`);
        }
      }
    }
  });
}

Deno.test("what rules and a setting hide is neither in a large folder nor counted", async () => {
  const isHidden = (name: string) => name.startsWith(".") || name.endsWith("7.txt");
  const whole = namesIn(await list()).filter((name) => !isHidden(name));
  for (let round = 0; round < 2; round++) {
    const seen = await list("", ruled);
    assert.deepEqual(namesIn(seen), whole);
    assert.equal((seen.numDirs ?? 0) + (seen.numFiles ?? 0), whole.length);
    assert.deepEqual(namesIn(await list("sort=size&filter=7.txt", ruled)), [
      ...namesIn(await list("sort=size&filter=7.txt")).filter((name) => !isHidden(name)),
    ]);
  }
});

Deno.test("listings of one large folder at once are alike, and outlive one that is aborted", async () => {
  const text = await textOf();
  const many = Array.from({ length: 6 }, () => textOf());
  const controller = new AbortController();
  const left = fetch(`${url}/api/resources/large`, {
    headers: { "x-auth": token },
    signal: controller.signal,
  }).then((answer) => answer.bytes());
  controller.abort();
  await assert.rejects(left);
  for (const each of await Promise.all(many)) assert.ok(each === text);
});

Deno.test("entries that vanish during a listing are not counted", async () => {
  const going = join(app.root, "going");
  Deno.mkdirSync(going);
  plantMany(going, 5_000);
  const listings = Array.from({ length: 4 }, () => list("sort=modified", token, "/going"));
  for (let index = 2; index <= 5_000; index += 2) {
    await Deno.remove(join(going, `entry ${String(index).padStart(5, "0")}.txt`));
  }
  for (const listed of [...await Promise.all(listings), await list("", token, "/going")]) {
    assert.equal(listed.numFiles, listed.items.length);
    assert.equal(new Set(namesIn(listed)).size, listed.items.length);
    assert.ok(listed.items.length >= 2_500);
  }
  assert.equal((await list("", token, "/going")).numFiles, 2_500);
});

Deno.test("a huge folder is sent while it is read, also to visitors of a share", async () => {
  const huge = join(app.root, "huge");
  Deno.mkdirSync(huge);
  const entries = 110_000;
  for (let number = 0; number < entries; number++) {
    // A file has at most 65,000 names on ext4.
    if (number < 2) Deno.writeTextFileSync(join(huge, `${number} entry.txt`), "x");
    else Deno.linkSync(join(huge, `${number % 2} entry.txt`), join(huge, `${number} entry.txt`));
  }
  const { items, numFiles } = await list("", token, "/huge");
  assert.deepEqual([items.length, numFiles], [entries, entries]);
  assert.deepEqual(namesIn(await list("offset=5000&limit=50", token, "/huge")), [
    ...items.slice(5_000, 5_050).map(({ name }) => name),
  ]);
  const made = await app.call("POST", "/api/share/huge", { token });
  const { hash } = await made.json();
  const shared = await (await app.call("GET", `/api/public/share/${hash}`)).json();
  assert.equal(shared.hash, hash);
  assert.deepEqual(namesIn(shared), namesIn({ items } as Listing));
  // Memory for the whole would tell its length.
  const answer = await fetch(`${url}/api/resources/huge`, { headers: { "x-auth": token } });
  assert.equal(answer.headers.get("content-length"), null);
  await answer.body?.cancel();
});
