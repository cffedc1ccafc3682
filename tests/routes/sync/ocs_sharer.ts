/** What the desktop and the phone apps send from their dialogs of sharing, and what they need. */
import assert from "node:assert/strict";
import { blankGroup } from "../../../lib/server/features/accounts/users/groups/group.ts";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { ocs, type OcsAnswer } from "../../support/clients/ocs.ts";

export const app = await startApp({
  config: { syncClients: true },
  tree: {
    "a.txt": "one",
    docs: { "b.txt": "two", "c d.txt": "three", deep: { "e.txt": "five" } },
    other: { "f.txt": "six" },
    "日本 #%?": { "g.txt": "g" },
  },
});

Deno.test.afterAll(app.close);
export const api = "apps/files_sharing/api/v1";
export const shares = `v2.php/${api}/shares`;
export const day = "2031-05-04";

/** A user of the test's own, with an app password that may share. */
export async function sharer(name: string, more: Record<string, unknown> = {}) {
  const { user, token } = await app.addUser(name, more);
  const draft = { name: "app", write: true, share: true, expires: null };
  const { secret } = await app.cubby.apiTokens.create(user.id, draft, null);
  return { user, token, by: basic(name, secret) };
}

export function post(
  by: string,
  fields: Record<string, string>,
  path = shares,
): Promise<OcsAnswer> {
  return ocs(app, "POST", path, by, { body: new URLSearchParams(fields) });
}

export function put(by: string, id: string, fields: Record<string, string>): Promise<OcsAnswer> {
  return ocs(app, "PUT", `${shares}/${id}`, by, { body: new URLSearchParams(fields) });
}

export async function listed(by: string, path: string): Promise<OcsAnswer["data"]> {
  const { meta, data } = await ocs(app, "GET", `${shares}?path=${encodeURIComponent(path)}`, by);
  assert.equal(meta.statuscode, 200, meta.message);
  return data;
}

export function assertRefused(
  { status, meta, data }: OcsAnswer,
  code: number,
  text = /^Cannot /,
): void {
  assert.deepEqual([status, meta.status, meta.statuscode], [code, "failure", code], meta.message);
  assert.match(meta.message, text);
  assert.deepEqual(data, []);
}

await app.addUser("bob");
export const bobby = await app.addUser("bobby");
export const team = await app.cubby.users.groups.create({ ...blankGroup(), name: "team" });
