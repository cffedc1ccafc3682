/** The trash and the previous versions, as clients of Nextcloud have them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { AuditRecord } from "../../../lib/shared/schemas/audit.ts";
import { deny } from "../../support/data/rules.ts";
import { plant } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { admin, userPassword } from "../../support/server/app_parts.ts";
import { activitiesOnce, keepActivity } from "../../support/server/audited.ts";
import { assertStatus } from "../../support/server/refused.ts";

const odd = "#%?日本 `.txt";
const app = await startApp({
  config: { syncClients: true },
  tree: {
    anna: { [odd]: "odd", "v.txt": "first", docs: { "d.txt": "d" }, gone: { "in.txt": "in" } },
    ben: { "b.txt": "b" },
  },
});
Deno.test.afterAll(app.close);
const { user: anna } = await app.addUser("anna", { scope: "anna" });
await app.addUser("ben", { scope: "ben" });

const dav = (method: string, path: string, headers = {}, body?: BodyInit, as = "anna") =>
  app.call(method, `/remote.php/dav/${path}`, {
    body,
    headers: { authorization: basic(as, userPassword), depth: "1", ...headers },
  });

const read = (path: string) => Deno.readTextFile(join(app.root, "anna", path));

interface Listed {
  href: string;
  filename: string;
  location: string;
}

async function trashed(as = "anna"): Promise<Listed[]> {
  const answer = await dav("PROPFIND", `trashbin/${as}/trash`, {}, undefined, as);
  assert.equal(answer.status, 207);
  const text = await answer.text();
  return [...text.matchAll(/<d:response>(.*?)<\/d:response>/gs)].flatMap(([, one = ""]) => {
    const of = (name: string) => new RegExp(`<${name}>([^<]*)<`).exec(one)?.[1] ?? "";
    if (!one.includes("trashbin-filename")) return [];
    assert.match(of("nc:trashbin-deletion-time"), /^\d{10}$/);
    return [{
      href: of("d:href").replace("/remote.php/dav/", ""),
      filename: of("nc:trashbin-filename"),
      location: of("nc:trashbin-original-location"),
    }];
  });
}

const to = (kind: string) => ({
  destination: `http://cubby.test/remote.php/dav/${kind}/anna/restore/target`,
});

Deno.test("the trash and versions of another, or of nobody, are not there", async () => {
  for (const kind of ["trashbin", "versions"]) {
    for (const path of [`${kind}/ben`, `${kind}/ben/trash`, `${kind}/ben/versions/1`]) {
      await assertStatus(await dav("PROPFIND", path), 404);
    }
    await assertStatus(await dav("PROPFIND", `${kind}/anna/none`), 404);
    await assertStatus(await app.call("PROPFIND", `/remote.php/dav/${kind}/anna`), 401);
  }
  await assertStatus(await dav("DELETE", "trashbin/ben/trash"), 404);
  await assertStatus(await dav("MOVE", "trashbin/anna/trash/x.d1", to("trashbin")), 404);
  await assertStatus(await dav("GET", "trashbin/anna/trash/x.d1"), 404);
  await assertStatus(await dav("GET", "versions/anna/versions/1/1"), 404);
});

Deno.test("a token that is bound to a folder reaches neither", async () => {
  const made = await app.call("POST", "/api/tokens", {
    token: await app.tokenOf("anna"),
    json: { name: "bound", write: true, folder: "/docs", current_password: userPassword },
  });
  const { token } = await made.json();
  const headers = { authorization: basic("anna", token) };
  await assertStatus(await dav("PROPFIND", "trashbin/anna/trash", headers), 403);
  await assertStatus(await dav("DELETE", "trashbin/anna/trash", headers), 403);
  await assertStatus(await dav("PROPFIND", "versions/anna/versions/1", headers), 403);
});

Deno.test("deleted entries are listed, read, restored and deleted for good", async () => {
  await assertStatus(
    await dav("DELETE", `files/anna/${encodeURIComponent(odd)}`, {
      depth: "infinity",
    }),
    204,
  );
  await assertStatus(
    await dav("DELETE", "files/anna/gone?trash=true", { depth: "infinity" }),
    204,
  );
  await assertStatus(
    await dav("DELETE", "files/anna/docs/d.txt?trash=true", { depth: "infinity" }),
    204,
  );
  const listed = (await trashed()).sort((a, b) => a.location < b.location ? -1 : 1);
  assert.deepEqual(listed.map(({ filename, location }) => [filename, location]), [
    [odd, odd],
    ["d.txt", "docs/d.txt"],
    ["gone", "gone"],
  ]);
  assert.deepEqual(await trashed("ben"), []);
  const [first, d, gone] = listed.map(({ href }) => href);
  assert.equal(await (await dav("GET", first ?? "")).text(), "odd");
  await assertStatus(await dav("GET", gone ?? ""), 409);
  await assertStatus(await dav("PROPFIND", first ?? "", { depth: "0" }), 207);
  const stolen = (first ?? "").replace("/anna/", "/ben/");
  await assertStatus(await dav("GET", stolen, {}, undefined, "ben"), 404);
  await assertStatus(
    await dav("MOVE", first ?? "", { destination: "/remote.php/dav/files/anna/x" }),
    403,
  );
  await assertStatus(await dav("MOVE", first ?? "", to("trashbin")), 201);
  assert.equal(await read(odd), "odd");
  await assertStatus(await dav("MOVE", gone ?? "", to("trashbin")), 201);
  assert.equal(await read("gone/in.txt"), "in");
  await assertStatus(await dav("DELETE", d ?? ""), 204);
  await assertStatus(await dav("DELETE", d ?? ""), 404);
  assert.deepEqual(await trashed(), []);
  await assertStatus(
    await dav("DELETE", "files/anna/gone?trash=true", { depth: "infinity" }),
    204,
  );
  await assertStatus(await dav("DELETE", "trashbin/anna/trash"), 204);
  assert.deepEqual(await trashed(), []);
});

Deno.test("what clients delete is in the trash, unless they say otherwise or there is none", async () => {
  await using other = await startApp({
    config: { syncClients: true, webdav: true },
    tree: { "kept.txt": "kept", "by dav.txt": "1", "forever.txt": "2", "no trash.txt": "3" },
  });
  await keepActivity(other, "changes");
  const token = await other.tokenOf("admin");
  const names = async () =>
    (await (await other.call("GET", "/api/trash", { token })).json()).items
      .map(({ name }: { name: string }) => name);
  const headers = { authorization: basic(admin.username, admin.password) };
  const deletes = async (path: string) =>
    await assertStatus(await other.call("DELETE", path, { headers }), 204);
  await plant(other.root, { ".cubby-trash": "not ours" });
  await deletes("/remote.php/webdav/no%20trash.txt");
  await Deno.remove(join(other.root, ".cubby-trash"));
  await deletes("/dav/by%20dav.txt");
  await deletes("/remote.php/webdav/forever.txt?trash=false");
  assert.deepEqual(await names(), []);
  await deletes("/remote.php/webdav/kept.txt");
  assert.deepEqual(await names(), ["kept.txt"]);
  const actionsIn = (records: AuditRecord[]) =>
    records.map(({ action }) => action).filter((action) => action !== "signin");
  const records = await activitiesOnce(other, (records) => actionsIn(records).length >= 4);
  assert.deepEqual(actionsIn(records), ["trash", "delete", "delete", "delete"]);
});

Deno.test("a deleted folder is listed like others, without what is denied by now", async () => {
  await plant(join(app.root, "anna"), {
    album: { [odd]: "odd", deep: { "d.txt": "deep", secret: { "s.txt": "s" } } },
  });
  await Deno.symlink("/etc", join(app.root, "anna/album/link"));
  await assertStatus(
    await dav("DELETE", "files/anna/album?trash=true", { depth: "infinity" }),
    204,
  );
  const { href } = (await trashed()).find(({ filename }) => filename === "album") ?? { href: "" };
  const below = (path: string) => `${href.replace(/\/$/, "")}/${path}`;
  const list = async (path: string, depth = "1") => {
    const answer = await dav("PROPFIND", path, { depth });
    const text = await answer.text();
    assert.equal(answer.status, 207, text);
    return [...text.matchAll(/<nc:trashbin-original-location>([^<]*)</g)].map(([, each]) => each);
  };
  const inAlbum = ["album", `album/${odd}`, "album/deep"];
  assert.deepEqual((await list(href)).toSorted(), inAlbum.toSorted());
  assert.deepEqual(await list(href, "0"), ["album"]);
  const deep = ["album/deep", "album/deep/d.txt", "album/deep/secret"];
  assert.deepEqual((await list(below("deep"))).toSorted(), deep);
  assert.deepEqual(await list(below(encodeURIComponent(odd)), "0"), [`album/${odd}`]);
  for (
    const path of ["none", "link", "link/passwd", `${encodeURIComponent(odd)}/x`, "deep/..%2f.."]
  ) {
    await assertStatus(await dav("PROPFIND", below(path)), 404, path);
  }
  await assertStatus(await dav("DELETE", below("deep/d.txt")), 404);
  await assertStatus(await dav("MOVE", below("deep/d.txt"), to("trashbin")), 404);
  const stolen = below("deep").replace("/anna/", "/ben/");
  await assertStatus(await dav("PROPFIND", stolen, {}, undefined, "ben"), 404);
  await app.cubby.users.update(anna.id, { rules: [deny("/album/deep/secret")] });
  assert.deepEqual((await list(below("deep"))).toSorted(), deep.slice(0, 2));
  await assertStatus(await dav("PROPFIND", below("deep/secret")), 404);
  await app.cubby.users.update(anna.id, { rules: [] });
  await assertStatus(await dav("DELETE", "trashbin/anna/trash"), 204);
});

Deno.test("versions of a file are listed by its id, read and put in its place", async () => {
  for (const text of ["second", "third"]) {
    await assertStatus(await dav("PUT", "files/anna/v.txt", {}, text), 204);
  }
  const asked = `<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop>` +
    "<oc:fileid/></d:prop></d:propfind>";
  const file = await dav("PROPFIND", "files/anna/v.txt", { depth: "0" }, asked);
  const id = /<oc:fileid>(\d+)</.exec(await file.text())?.[1] ?? "";
  const versions = async (as = "anna") => {
    const answer = await dav("PROPFIND", `versions/${as}/versions/${id}`, {}, undefined, as);
    assert.equal(answer.status, 207);
    const text = await answer.text();
    return [...text.matchAll(/<d:href>\/remote\.php\/dav\/([^<]*[^/<])<\/d:href>/g)]
      .map(([, href = ""]) => href);
  };
  const [latest = "", first = "", ...more] = await versions();
  assert.deepEqual(more, []);
  assert.deepEqual(await versions("ben"), []);
  assert.equal(await (await dav("GET", latest)).text(), "second");
  assert.equal(await (await dav("GET", first)).text(), "first");
  await assertStatus(await dav("GET", first.replaceAll("anna", "ben"), {}, undefined, "ben"), 404);
  await assertStatus(
    await dav("MOVE", first, { destination: "/remote.php/dav/files/anna/x" }),
    403,
  );
  await assertStatus(await dav("MOVE", first, to("versions")), 201);
  assert.equal(await read("v.txt"), "first");
  assert.equal((await versions()).length, 2);
});
