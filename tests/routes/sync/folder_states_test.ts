import assert from "node:assert/strict";
import { join } from "node:path";
import { davClient } from "../../support/clients/dav.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { delay } from "../../../lib/shared/delay.ts";
import { propertyIn, propfind, responsesIn } from "./client_answers.ts";

const app = await startApp({
  config: { webdav: true, syncClients: true },
  tree: {
    box: { deep: { deeper: { "a.txt": "one" } }, "b.txt": "two" },
    calm: { "c.txt": "three" },
    ids: { "old.txt": "old", "twin.txt": "twin", into: {} },
  },
});
Deno.test.afterAll(app.close);

const files = "/remote.php/dav/files/admin";
const client = davClient(app, "admin", files);
const onDisk = (name: string) => join(app.root, name);

async function propertyOf(path: string, name: string): Promise<string | null> {
  const answer = await client("PROPFIND", path, { headers: { depth: "0" }, body: propfind(name) });
  const [response = ""] = responsesIn(await answer.text()).values();
  return propertyIn(response, name);
}

const etagOf = (path: string) => propertyOf(path, "d:getetag");

/** The ETags of the folders in a folder, by which a client decides where to go. */
async function etagsIn(path: string): Promise<Record<string, string>> {
  const headers = { depth: "1" };
  const answer = await client("PROPFIND", path, { headers, body: propfind("d:getetag") });
  const found = [...responsesIn(await answer.text())];
  return Object.fromEntries(found.map(([href, xml]) => [href, propertyIn(xml, "d:getetag") ?? ""]));
}

/** Waits until the ETag of a folder is another one. */
async function changedEtag(path: string, before: string | null): Promise<string | null> {
  for (let tries = 0; tries < 400; tries++) {
    const now = await etagOf(path);
    if (now !== before) return now;
    await delay(25);
  }
  return before;
}

Deno.test("each change by a client is in the ETags of all folders above when it is answered", async () => {
  const calm = await etagOf("/calm/");
  for (let round = 0; round < 12; round++) {
    const before = await etagsIn("/");
    const body = `round ${round}`;
    const path = `/box/deep/deeper/${round % 3}.txt`;
    assertStatus(await client("PUT", path, { body }), round < 3 ? 201 : 204);
    const after = await etagsIn("/");
    for (const folder of [`${files}/`, `${files}/box/`]) {
      assert.notEqual(after[folder], before[folder], folder);
      assert.match(after[folder] ?? "", /^(?:"|&quot;).+(?:"|&quot;)$/);
    }
    // Each thread says the same.
    for (let ask = 0; ask < 4; ask++) assert.deepEqual(await etagsIn("/"), after);
    assert.equal(after[`${files}/calm/`], calm);
  }
});

Deno.test("what other programs change is found below, and leads a client down to it", async () => {
  const changes: [title: string, change: () => void][] = [
    ["a new file", () => Deno.writeTextFileSync(onDisk("box/deep/new.txt"), "new")],
    ["a file changed in place", () => Deno.writeTextFileSync(onDisk("box/deep/new.txt"), "more")],
    ["another time", () => Deno.utimeSync(onDisk("box/deep/new.txt"), 1_000_000, 1_000_000)],
    ["a rename", () => Deno.renameSync(onDisk("box/deep/new.txt"), onDisk("box/deep/it.txt"))],
    ["a removal", () => Deno.removeSync(onDisk("box/deep/it.txt"))],
    ["a folder in place of a file", () => {
      Deno.removeSync(onDisk("box/b.txt"));
      Deno.mkdirSync(onDisk("box/b.txt"));
    }],
  ];
  for (const [title, change] of changes) {
    const [root, box, calm] = [await etagOf("/"), await etagOf("/box/"), await etagOf("/calm/")];
    change();
    assert.notEqual(await changedEtag("/", root), root, title);
    assert.notEqual(await changedEtag("/box/", box), box, title);
    assert.equal(await etagOf("/calm/"), calm, title);
  }
});

Deno.test("an id stays with its file through saves, renames and moves", async () => {
  const id = await propertyOf("/ids/old.txt", "oc:fileid");
  assert.match(id ?? "", /^\d+$/);
  assertStatus(await client("PUT", "/ids/old.txt", { body: "saved" }), 204);
  assert.equal(await propertyOf("/ids/old.txt", "oc:fileid"), id);
  const destination = `${files}/ids/into/new.txt`;
  assertStatus(await client("MOVE", "/ids/old.txt", { headers: { destination } }), 201);
  assertStatus(await client("PUT", "/ids/into/new.txt", { body: "saved again" }), 204);
  assert.equal(await propertyOf("/ids/into/new.txt", "oc:fileid"), id);
  assertStatus(await client("PUT", "/ids/old.txt", { body: "another file" }), 201);
  assert.notEqual(await propertyOf("/ids/old.txt", "oc:fileid"), id);
});

Deno.test("a linked folder is in no listing, as one that leads upwards has no end", async () => {
  Deno.symlinkSync(onDisk("ids"), onDisk("ids/into/up"));
  const headers = { depth: "1" };
  const answer = await client("PROPFIND", "/ids/into/", { headers, body: propfind("oc:fileid") });
  const addresses = [...responsesIn(await answer.text()).keys()];
  assert.deepEqual(addresses.filter((address) => address.includes("up")), []);
  assert.match(await propertyOf("/ids/into/up/", "oc:fileid") ?? "", /^\d+$/);
});

Deno.test("a client does not take a linked folder for the one that it makes", async () => {
  Deno.symlinkSync(onDisk("calm"), onDisk("ids/linked"));
  await assertStatus(await client("MKCOL", "/ids/linked"), 403);
  await assertStatus(await client("MKCOL", "/ids/into"), 405);
  await assertStatus(await davClient(app, "admin", "/dav")("MKCOL", "/ids/linked"), 405);
});

Deno.test("two names of one file have ids of their own", async () => {
  Deno.linkSync(onDisk("ids/twin.txt"), onDisk("ids/second.txt"));
  const headers = { depth: "1" };
  const answer = await client("PROPFIND", "/ids/", { headers, body: propfind("oc:fileid") });
  const ids = [...responsesIn(await answer.text()).values()].map((xml) =>
    propertyIn(xml, "oc:fileid")
  );
  assert.equal(ids.length >= 4, true);
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("a checksum that a client has sent is told until the file changes", async () => {
  const sum = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8";
  const headers = { "oc-checksum": `SHA1:${sum}` };
  assertStatus(await client("PUT", "/calm/sum.txt", { headers, body: "a" }), 201);
  const told = async (path: string) => (await propertyOf(path, "oc:checksums")) ?? "";
  assert.match(await told("/calm/sum.txt"), new RegExp(`SHA1:${sum}`));
  const destination = `${files}/box/sum.txt`;
  assertStatus(await client("MOVE", "/calm/sum.txt", { headers: { destination } }), 201);
  assert.match(await told("/box/sum.txt"), new RegExp(`SHA1:${sum}`));
  Deno.writeTextFileSync(onDisk("box/sum.txt"), "b");
  assert.doesNotMatch(await told("/box/sum.txt"), new RegExp(sum));
});

Deno.test("a client that lists while others write misses nothing that they have written", async () => {
  let isDone = false;
  const writing = (async () => {
    for (let index = 0; index < 60; index++) {
      assertStatus(await client("PUT", `/calm/w${index}.txt`, { body: String(index) }), 201);
    }
    isDone = true;
  })();
  // As a client does: it lists a folder again when its ETag is another than at its last visit.
  const headers = { depth: "1" };
  let [known, seen] = ["", new Set<string>()];
  for (let quiet = 0; quiet < 3;) {
    const isLast = isDone;
    const answer = await client("PROPFIND", "/calm/", { headers, body: propfind("d:getetag") });
    const found = responsesIn(await answer.text());
    const etag = propertyIn(found.get(`${files}/calm/`) ?? "", "d:getetag") ?? "";
    if (etag !== known) [known, seen] = [etag, new Set(found.keys())];
    else if (isLast) quiet++;
  }
  await writing;
  for (let index = 0; index < 60; index++) assert.ok(seen.has(`${files}/calm/w${index}.txt`));
});

Deno.test("without the option there is no address, and nothing is kept of folders", async () => {
  await using plain = await startApp({ config: { webdav: true, syncClients: false } });
  assert.notEqual((await davClient(plain, "admin", files)("PROPFIND", "/")).status, 207);
  const { folderStates, fileIds, fileChecksums } = plain.cubby;
  assert.deepEqual([folderStates, fileIds, fileChecksums], [null, null, null]);
});
