import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { davClient } from "../../support/clients/dav.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { webdav: true },
  tree: { "a.txt": "one", "set.txt": "S", "b.txt": "two", box: {}, folder: { "c.txt": "C" } },
});
Deno.test.afterAll(app.close);

const dav = davClient(app);

async function patch(path: string, content: string): Promise<string> {
  const body = `<D:propertyupdate xmlns:D="DAV:" xmlns:b="urn:books">${content}</D:propertyupdate>`;
  const answer = await dav("PROPPATCH", path, { body });
  const xml = await answer.text();
  assert.equal(answer.status, 207, xml);
  return xml;
}

async function all(path: string, depth = "0"): Promise<string> {
  return await (await dav("PROPFIND", path, { headers: { depth } })).text();
}

const set = (xml: string) => `<D:set><D:prop>${xml}</D:prop></D:set>`;
const author = '<n:author xmlns:n="urn:books">Zoë &amp; &lt;Al&gt;</n:author>';

Deno.test("PROPPATCH refuses the server's own properties, and then changes nothing", async () => {
  const xml = await patch("/a.txt", set("<D:getetag>x</D:getetag><b:author>A</b:author>"));
  assert.match(xml, /<D:getetag\/><\/D:prop><D:status>HTTP\/1.1 403/);
  assert.match(xml, /cannot-modify-protected-property/);
  assert.match(xml, /HTTP\/1.1 424 Failed Dependency/);
  assert.doesNotMatch(await all("/a.txt"), /author/);
  await assertRefused(await dav("PROPPATCH", "/a.txt", { body: "<a/>" }), 400, "invalid_body");
  const many = set("<b:x>" + "y".repeat(70_000) + "</b:x>");
  const body = `<D:propertyupdate xmlns:D="DAV:" xmlns:b="urn:books">${many}</D:propertyupdate>`;
  await assertRefused(await dav("PROPPATCH", "/a.txt", { body }), 400, "invalid_body");
  await assertStatus(await dav("PROPPATCH", "/none", { body: "<a/>" }), 400);
});

Deno.test("what is set is told as it was sent, follows a move, comes with a copy, and goes", async () => {
  await patch("/set.txt", set("<b:author>Zoë &amp; &lt;Al&gt;</b:author>"));
  assert.ok((await all("/set.txt")).includes(author));
  assert.ok((await all("/", "1")).includes(author), "in the listing of the folder");
  const to = (destination: string) => ({ headers: { destination } });
  await assertStatus(await dav("MOVE", "/set.txt", to("/dav/moved.txt")), 201);
  assert.ok((await all("/moved.txt")).includes(author));
  const token = await app.tokenOf("admin");
  const path = "/api/resources/moved.txt?action=rename&destination=/box/again.txt";
  await assertStatus(await app.call("PATCH", path, { token }), 200);
  assert.ok((await all("/box/again.txt")).includes(author), "after a move in the pages");
  await assertStatus(await dav("COPY", "/box", to("/dav/copy")), 201);
  assert.ok((await all("/copy/again.txt")).includes(author));
  await assertStatus(await dav("DELETE", "/copy/again.txt"), 204);
  await assertStatus(await dav("PUT", "/copy/again.txt", { body: "new" }), 201);
  assert.doesNotMatch(await all("/copy/again.txt"), /author/);
  await assertStatus(await dav("MOVE", "/b.txt", to("/dav/box/again.txt")), 204);
  assert.doesNotMatch(await all("/box/again.txt"), /author/, "another file has the name");
});

Deno.test("a property is removed, and languages and namespaces stay", async () => {
  await patch("/folder", `<D:set><D:prop xml:lang="de"><b:title>Bär</b:title></D:prop></D:set>`);
  assert.match(await all("/folder"), /xml:lang="de">Bär/);
  await patch("/folder", "<D:remove><D:prop><b:title/></D:prop></D:remove>");
  assert.doesNotMatch(await all("/folder"), /Bär/);
});

Deno.test("Windows sets the time of a file", async () => {
  const time = "Sun, 09 Sep 2001 01:46:40 GMT";
  const windows = 'xmlns:Z="urn:schemas-microsoft-com:"';
  const xml = await patch(
    "/folder/c.txt",
    set(`<Z:Win32LastModifiedTime ${windows}>${time}</Z:Win32LastModifiedTime>`),
  );
  assert.match(xml, /200 OK/);
  const { mtime } = await Deno.stat(join(app.root, "folder/c.txt"));
  assert.equal(mtime?.getTime(), 1e12);
});

Deno.test("a time that no file can have is a conflict, and nothing is changed", async () => {
  const path = join(app.root, "folder/c.txt");
  await Deno.utime(path, 1e9, 1e9);
  for (const time of ["Fri, 01 Jan 10000 00:00:00 GMT", "+275760-09-13T00:00:00Z", "soon", ""]) {
    const name = "Win32LastModifiedTime";
    const windows = `<Z:${name} xmlns:Z="urn:schemas-microsoft-com:">${time}</Z:${name}>`;
    const xml = await patch("/folder/c.txt", set(`${windows}<b:late>L</b:late>`));
    const statuses = [...xml.matchAll(/:(\w+)[^<>]*\/><\/D:prop><D:status>HTTP\/1\.1 (\d+)/g)];
    assert.deepEqual(
      statuses.map(([, property, status]) => `${property} ${status}`),
      [`${name} 409`, "late 424"],
      `${time}: ${xml}`,
    );
    assert.equal((await Deno.stat(path)).mtime?.getTime(), 1e12, time);
    assert.doesNotMatch(await all("/folder/c.txt"), /late/, time);
  }
  const protectedToo = await patch(
    "/folder/c.txt",
    set('<D:getetag>x</D:getetag><Z:Win32LastModifiedTime xmlns:Z="urn:schemas-microsoft-com:"/>'),
  );
  assert.match(protectedToo, /getetag\/><\/D:prop><D:status>HTTP\/1\.1 403/);
  assert.match(protectedToo, /Win32LastModifiedTime[^<>]*\/><\/D:prop><D:status>HTTP\/1\.1 409/);
  assert.doesNotMatch(protectedToo, / 424 /);
});

Deno.test("names of properties are bounded, each and together, in PROPFIND and PROPPATCH", async () => {
  const ask = (names: string[]) => {
    const list = names.map((name) => `<b:${name}/>`).join("");
    const body =
      `<D:propfind xmlns:D="DAV:" xmlns:b="urn:books"><D:prop>${list}</D:prop></D:propfind>`;
    return dav("PROPFIND", "/folder", { body, headers: { depth: "1" } });
  };
  const longest = "n".repeat(255 - "urn:books".length);
  await assertStatus(await ask([longest]), 207);
  await assertRefused(await ask([`${longest}n`]), 400, "invalid_body");
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => longest.slice(0, -2) + (10 + at));
  await assertStatus(await ask(many(32)), 207);
  await assertRefused(await ask(many(33)), 400, "invalid_body");
  const body = `<D:propertyupdate xmlns:D="DAV:" xmlns:b="urn:books">${
    set(`<b:${longest}n/>`)
  }</D:propertyupdate>`;
  await assertRefused(await dav("PROPPATCH", "/folder", { body }), 400, "invalid_body");
});
