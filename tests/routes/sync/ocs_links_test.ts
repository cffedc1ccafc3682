import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { ocs } from "../../support/clients/ocs.ts";

/** Links by which clients let anybody change files. */
const app = await startApp({
  config: { syncClients: true },
  tree: { "a.txt": "one", docs: { "b.txt": "two" } },
});
Deno.test.afterAll(app.close);

const shares = "v2.php/apps/files_sharing/api/v1/shares";

async function sharer(name: string, perm: Record<string, boolean> = {}) {
  const { user, token } = await app.addUser(name, { perm });
  const draft = { name: "app", write: true, share: true, expires: null };
  const { secret } = await app.cubby.apiTokens.create(user.id, draft, null);
  const by = basic(name, secret);
  const ask = (method: string, at: string, fields?: Record<string, string>) =>
    ocs(app, method, `${shares}${at}`, by, { body: fields && new URLSearchParams(fields) });
  const link = (path: string, fields: Record<string, string> = {}) =>
    ask("POST", "", { path, shareType: "3", ...fields });
  return { user, token, by, ask, link };
}

async function rightOf(hash: string): Promise<number[]> {
  const at = `/api/public/share/${hash}`;
  const make = await app.call("POST", `${at}/made-${hash}/`);
  const headers = { "upload-length": "0", "upload-metadata": `filename ${btoa("x.txt")}` };
  const add = await app.call("POST", `/api/public/tus/${hash}`, { headers });
  for (const answer of [make, add]) await answer.body?.cancel();
  return [make.status, add.status];
}

Deno.test("a client may give by a link no more than its user, and nothing that a link cannot be", async () => {
  const { link } = await sharer("lea", { delete: false });
  const refused: [path: string, fields: Record<string, string>, status: number][] = [
    ["/docs", { permissions: "15" }, 403],
    ["/docs", { publicUpload: "true" }, 403],
    ["/a.txt", { permissions: "3" }, 403],
    ["/a.txt", { publicUpload: "true" }, 400],
    ["/docs", { permissions: "4" }, 400],
    ["/docs", { permissions: "15", hideDownload: "true" }, 400],
  ];
  for (const [path, fields, status] of refused) {
    const answer = await link(path, fields);
    assert.equal(answer.status, status, JSON.stringify([fields, answer.meta.message]));
  }
  assert.equal((await link("/docs", { permissions: "5" })).data.permissions, 5);
});

Deno.test("permissions and publicUpload of a link are what its visitors may do", async () => {
  const { ask, link } = await sharer("mia");
  const cases: [path: string, fields: Record<string, string>, bits: number, does: number[]][] = [
    ["/docs", {}, 1, [403, 403]],
    ["/docs", { permissions: "1" }, 1, [403, 403]],
    ["/docs", { permissions: "17" }, 1, [403, 403]],
    ["/docs", { permissions: "5" }, 5, [403, 201]],
    ["/docs", { permissions: "15" }, 15, [200, 201]],
    ["/docs", { permissions: "31" }, 15, [200, 201]],
    ["/docs", { publicUpload: "true" }, 15, [200, 201]],
    ["/docs", { permissions: "15", publicUpload: "false" }, 1, [403, 403]],
  ];
  for (const [path, fields, bits, does] of cases) {
    const { data, meta } = await link(path, fields);
    assert.equal(data.permissions, bits, `${JSON.stringify(fields)} ${meta.message}`);
    assert.deepEqual(await rightOf(data.token), does, JSON.stringify(fields));
  }
  const file = await link("/a.txt", { permissions: "3" });
  assert.equal(file.data.permissions, 3);
  const save = await app.call("PUT", `/api/public/share/${file.data.token}`, { body: "new" });
  assert.equal(save.status, 200, await save.text());

  const { data } = await link("/docs", { permissions: "15" });
  const at = `/${data.id}`;
  for (
    const [name, value] of [["expireDate", "2031-05-04"], ["password", "horse 12345"]] as const
  ) {
    assert.equal(
      (await ask("PUT", at, { [name]: value })).data.permissions,
      15,
      "what is not said stays",
    );
  }
  const shown = await ask("PUT", at, { permissions: "1", hideDownload: "true" });
  assert.deepEqual([shown.data.permissions, shown.data.hide_download], [1, 1]);
  const open = await ask("PUT", at, { permissions: "15", hideDownload: "false" });
  assert.deepEqual([open.data.permissions, open.data.hide_download], [15, 0]);
});

Deno.test("the link of a share for others, too, is changed alone", async () => {
  const { ask, token } = await sharer("nia");
  await app.addUser("oda");
  const json = { audience: [{ name: "oda", may: "edit" }], anyone: true };
  const made = await app.call("POST", "/api/share/docs", { token, json });
  const { hash } = await made.json();
  const listed = async () => {
    const { data } = await ask("GET", "?path=/docs");
    const of = (type: number) =>
      data.find(({ share_type: each }: { share_type: number }) => each === type);
    return { link: of(3), user: of(0) };
  };
  const { link, user } = await listed();
  assert.deepEqual([link.permissions, user.permissions], [1, 15]);
  await ask("PUT", `/${link.id}`, { permissions: "5" });
  await ask("PUT", `/${user.id}`, { permissions: "1" });
  const now = await listed();
  assert.deepEqual([now.link.permissions, now.user.permissions], [5, 1]);
  await ask("DELETE", `/${user.id}`);
  const { data } = await ask("GET", `/${link.id}`);
  assert.equal(data[0].permissions, 5, "it stays when the other leaves");
  assert.deepEqual(await rightOf(hash), [403, 201]);
});

Deno.test("clients give by a link no more than the server allows, and are told so", async () => {
  const { by, ask, link } = await sharer("pia");
  const { settings } = app.cubby;
  const before = await settings.get();
  const { data } = await link("/docs", { permissions: "15" });
  const canUpload = async () => {
    const { data } = await ocs(app, "GET", "v2.php/cloud/capabilities", by);
    return data.capabilities.files_sharing.public.upload;
  };
  await settings.update({ ...before, maxLinkRight: "download" });
  for (
    const [field, value] of [
      ["permissions", "5"],
      ["permissions", "15"],
      ["publicUpload", "true"],
    ] as const
  ) {
    const { status, meta } = await link("/docs", { [field]: value });
    assert.equal(status, 403, `${field} ${value}`);
    assert.match(meta.message, /this server allows "download" at most$/);
  }
  assert.equal((await link("/docs")).data.permissions, 1);
  assert.deepEqual(await rightOf(data.token), [403, 403]);
  const kept = await ask("PUT", `/${data.id}`, { permissions: "15", expireDate: "2031-05-04" });
  assert.equal(kept.data.permissions, 15, "what is sent back as it was stays");
  assert.deepEqual(await rightOf(data.token), [403, 403]);
  assert.equal(await canUpload(), false);
  await settings.update(before);
  assert.deepEqual(await rightOf(data.token), [200, 201]);
  assert.equal(await canUpload(), true);
});
