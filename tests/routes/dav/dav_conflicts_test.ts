/** Two programs and the browser on the same entries: each edit that is answered stays, or is told. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { davClient, hrefsOf } from "../../support/clients/dav.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ config: { webdav: true }, tree: { folder: {} } });
Deno.test.afterAll(app.close);
const { user, token } = await app.addUser("bo");
const one = davClient(app);
const other = davClient(app, user.username);
const odd = `/folder/${encodeURIComponent("#%?日本 `.txt")}`;

/** The content of a file, and of all its versions, whoever made them. */
function everSaved(path: string): string[] {
  const place = decodeURIComponent(path);
  const trash = join(app.root, ".cubby-trash");
  const name = place.slice(place.lastIndexOf("/"));
  // It is made with the first version.
  const ids = existsSync(trash) ? [...Deno.readDirSync(trash)] : [];
  const former = ids.flatMap(({ name: id }) => {
    try {
      return Deno.readTextFileSync(join(trash, id, name));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  });
  return [...former, Deno.readTextFileSync(join(app.root, place))].sort();
}

Deno.test("who saves over an edit that was not seen is told, by each way in", async () => {
  const made = await one("PUT", odd, { body: "first" });
  const seen = made.headers.get("etag") ?? "";
  assert.equal(made.status, 201);
  const edited = await app.call("PUT", `/api/resources${odd}`, {
    token,
    body: "by the page",
    headers: { "if-match": seen },
  });
  const page = edited.headers.get("etag") ?? "";
  await assertStatus(edited, 200);
  for (const client of [one, other]) {
    const late = await client("PUT", odd, { body: "lost", headers: { "if-match": seen } });
    await assertStatus(late, 412);
    const byIf = await client("PUT", odd, { body: "lost", headers: { if: `([${seen}])` } });
    await assertStatus(byIf, 412);
    const removed = await client("DELETE", odd, { headers: { "if-match": seen } });
    await assertStatus(removed, 412);
  }
  const saved = await one("PUT", odd, { body: "by one", headers: { "if-match": page } });
  await assertStatus(saved, 204);
  const late = await app.call("PUT", `/api/resources${odd}`, {
    token,
    body: "lost",
    headers: { "if-match": page },
  });
  await assertRefused(late, 412, "precondition_failed");
  assert.deepEqual(everSaved(odd), ["by one", "by the page", "first"]);
});

Deno.test("edits at once without conditions are all kept: one in place, the others as versions", async () => {
  const path = "/folder/many.txt";
  await assertStatus(await one("PUT", path, { body: "start" }), 201);
  const bodies = Array.from({ length: 8 }, (_, index) => `edit ${index}`);
  const statuses = await Promise.all(bodies.map(async (body, index) => {
    const answer = index % 3 === 0
      ? await app.call("PUT", `/api/resources${path}`, { token, body })
      : await (index % 3 === 1 ? one : other)("PUT", path, { body });
    await answer.body?.cancel();
    return answer.status;
  }));
  assert.ok(statuses.every((status) => status === 200 || status === 204), statuses.join());
  assert.deepEqual(everSaved(path), ["start", ...bodies].sort());
});

Deno.test("of edits at once that all expect the same state, one is made", async () => {
  const path = "/folder/race.txt";
  const made = await one("PUT", path, { body: "start" });
  const headers = { "if-match": made.headers.get("etag") ?? "" };
  await made.body?.cancel();
  const statuses = await Promise.all(Array.from({ length: 10 }, async (_, index) => {
    const answer = await (index % 2 ? one : other)("PUT", path, { headers, body: `edit ${index}` });
    await answer.body?.cancel();
    return answer.status;
  }));
  assert.equal(statuses.filter((status) => status === 204).length, 1, statuses.join());
  assert.ok(statuses.every((status) => status === 204 || status === 412), statuses.join());
  assert.equal((everSaved(path)).length, 2);
});

Deno.test("of new files at once under one name, with If-None-Match, one is made", async () => {
  const headers = { "if-none-match": "*" };
  const statuses = await Promise.all(Array.from({ length: 10 }, async (_, index) => {
    const answer = await (index % 2 ? one : other)("PUT", "/folder/new.txt", {
      headers,
      body: `edit ${index}`,
    });
    await answer.body?.cancel();
    return answer.status;
  }));
  assertOneMade(statuses, "PUT");
  assert.equal((everSaved("/folder/new.txt")).length, 1);
});

Deno.test("If-None-Match refuses a file whose name is taken while it comes", async () => {
  const taken = join(app.root, "folder/taken.txt");
  const body = new ReadableStream({
    pull(controller) {
      Deno.writeTextFileSync(taken, "another");
      controller.enqueue(new TextEncoder().encode("late"));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const late = await one("PUT", "/folder/taken.txt", { headers: { "if-none-match": "*" }, body });
  await assertStatus(late, 412);
  assert.equal(await Deno.readTextFile(taken), "another");
});

Deno.test("of copies and moves at once to one name, with Overwrite: F, one is made", async () => {
  const cases = [
    { method: "MOVE", isFolder: false },
    { method: "MOVE", isFolder: true },
    { method: "COPY", isFolder: false },
    { method: "COPY", isFolder: true },
    { method: "COPY", isFolder: true, depth: "0" },
  ];
  for (const { method, isFolder, depth } of cases) {
    const name = `${method}-${isFolder}-${depth}`;
    const headers = { destination: `/dav/folder/${name}`, overwrite: "F", ...depth && { depth } };
    const statuses = await Promise.all(Array.from({ length: 8 }, async (_, index) => {
      const from = `/folder/from-${name}-${index}`;
      if (isFolder) await Deno.mkdir(join(app.root, from));
      else await Deno.writeTextFile(join(app.root, from), "text");
      const answer = await (index % 2 ? one : other)(method, from, { headers });
      await answer.body?.cancel();
      return answer.status;
    }));
    assertOneMade(statuses, name);
  }
});

Deno.test("of new folders at once under one name, one is made", async () => {
  const statuses = await Promise.all(Array.from({ length: 8 }, async (_, index) => {
    const answer = await (index % 2 ? one : other)("MKCOL", "/folder/at once");
    await answer.body?.cancel();
    return answer.status;
  }));
  assertOneMade(statuses, "MKCOL", 405);
});

/** Of requests that may replace nothing, all but one were refused. */
function assertOneMade(statuses: readonly number[], what: string, refused = 412): void {
  const expected = [201, ...statuses.slice(1).fill(refused)];
  assert.deepEqual(statuses.toSorted(), expected, what);
}

Deno.test("a change of case alone renames files and folders", async () => {
  const move = async (from: string, to: string) => {
    const headers = { destination: `/dav${to}`, overwrite: "F" };
    await assertStatus(await one("MOVE", from, { headers }), 201, `${from} ${to}`);
  };
  await assertStatus(await one("MKCOL", "/folder/case"), 201);
  await assertStatus(await one("PUT", "/folder/case/read me.txt", { body: "text" }), 201);
  await move("/folder/case/read%20me.txt", "/folder/case/Read%20Me.TXT");
  await move("/folder/case", "/folder/CASE");
  const listed = await one("PROPFIND", "/folder/CASE", { headers: { depth: "1" } });
  assert.deepEqual(hrefsOf(await listed.text()), [
    "/dav/folder/CASE/",
    "/dav/folder/CASE/Read%20Me.TXT",
  ]);
  assert.equal(await (await one("GET", "/folder/CASE/Read%20Me.TXT")).text(), "text");
});

Deno.test("a file becomes a folder and a file again, and nothing that was there is lost", async () => {
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, trash: { ...settings.trash, byDefault: true } });
  const session = await app.tokenOf("admin");
  const path = `/folder/${encodeURIComponent("turns ü")}`;
  await assertStatus(await one("PUT", path, { body: "a file" }), 201);
  await assertStatus(await other("MKCOL", path), 405);
  await assertStatus(await other("PUT", `${path}/in.txt`, { body: "x" }), 409);

  await assertStatus(await one("DELETE", path), 204);
  await assertStatus(await one("MKCOL", path), 201);
  await assertStatus(await one("PUT", `${path}/in.txt`, { body: "in" }), 201);
  // The other program still takes it for a file.
  await assertStatus(await other("PUT", path, { body: "lost" }), 405);

  await assertStatus(await other("PUT", "/folder/source", { body: "again a file" }), 201);
  const headers = { destination: `/dav${path}` };
  const careful = { headers: { ...headers, overwrite: "F" } };
  await assertStatus(await other("MOVE", "/folder/source", careful), 412);
  await assertStatus(await other("MOVE", "/folder/source", { headers }), 204);
  assert.equal(await Deno.readTextFile(join(app.root, "folder/turns ü")), "again a file");
  const own = async (as: string) => {
    const { items } = await (await app.call("GET", "/api/trash", { token: as })).json();
    return items.map(({ path }: { path: string }) => path);
  };
  assert.deepEqual(await own(session), ["/folder/turns ü"], "the former file");
  assert.deepEqual(await own(token), ["/folder/turns ü"], "the former folder");
  await app.cubby.settings.update(settings);
});
