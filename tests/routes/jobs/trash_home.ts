/** Users whose trash is empty at first, and the calls about it. */
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { plant } from "../../support/disks/files.ts";
import { assertStatus } from "../../support/server/refused.ts";

export const app = await startApp({ tree: { "root.txt": "R", denied: { "d.txt": "D" } } });
Deno.test.afterAll(app.close);
export const admin = await app.tokenOf("admin");
let homes = 0;

/** A user of an own folder, whose trash is empty. */
export async function newHome(of = app) {
  const name = `home-${++homes}`;
  await plant(of.root, { [name]: { "a.txt": "A", docs: { deep: { "b.txt": "B" } } } });
  const scope = `/${name}`;
  const { token: anna, user } = await of.addUser(`anna ${homes}`, { scope });
  return { anna, user, scope, home: join(of.root, name) };
}

export const there = (path: string) => {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
};

export async function remove(
  token: string,
  path: string,
  more = "trash=true",
  of = app,
): Promise<string> {
  const answer = await of.call("DELETE", `/api/resources${path}?${more}`, { token });
  await assertStatus(answer, 200, path);
  return answer.headers.get("content-location") ?? "";
}

export async function list(token: string, query = "", of = app) {
  return await (await of.call("GET", `/api/trash${query}`, { token })).json();
}

export async function restore(token: string, place: string): Promise<string> {
  const answer = await app.call("POST", place, { token });
  await assertStatus(answer, 200, place);
  return answer.headers.get("content-location") ?? "";
}
