/** Uploads in chunks, as clients of Nextcloud and ownCloud send them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { userPassword } from "../../support/server/app_parts.ts";
import { uploadParts } from "../../../lib/server/files/upload/upload_parts.ts";
import { uploadChunks } from "../../../lib/server/files/upload/upload_chunks.ts";

export const app = await startApp({
  config: { syncClients: true },
  inProcess: true,
  tree: {
    "taken.txt": "taken",
    folder: { "b.txt": "b" },
    anna: { "own.txt": "own", deep: { er: {} } },
    ben: {},
  },
});

Deno.test.afterAll(app.close);
await app.addUser("anna", { scope: "anna" });
await app.addUser("ben", { scope: "ben" });
let count = 0;

/** An upload of a user with a name of its own. */
export function uploadOf(username = "anna", authorization = basic(username, userPassword)) {
  const name = `upload-${++count}`;
  const at = (path: string) => `/remote.php/dav/uploads/${username}/${name}${path}`;
  const call = (
    method: string,
    path: string,
    options: { body?: BodyInit; headers?: object } = {},
  ) =>
    app.call(method, at(path), {
      body: options.body,
      headers: { authorization, ...options.headers },
    });
  return {
    name,
    at,
    call,
    begin: (headers = {}) => call("MKCOL", "", { headers }),
    put: (chunk: string, body: string | Uint8Array<ArrayBuffer>, headers = {}) =>
      call("PUT", `/${chunk}`, {
        body,
        headers: { "content-length": String(body.length), ...headers },
      }),
    move: (path: string, headers = {}) =>
      call("MOVE", "/.file", { headers: { destination: addressOf(username, path), ...headers } }),
    list: () => call("PROPFIND", "", { headers: { depth: "1" } }),
    drop: () => call("DELETE", ""),
  };
}

export function addressOf(username: string, path: string): string {
  return `http://cubby.test/remote.php/dav/files/${username}${path}`;
}

export const read = (path: string) => Deno.readTextFile(join(app.root, path));

export function hidden(folder: string): string[] {
  return [...Deno.readDirSync(join(app.root, folder))].map(({ name }) => name)
    .filter((name) => name.startsWith("."));
}

export async function chunksIn(answer: Response): Promise<[name: string, length: number][]> {
  assert.equal(answer.status, 207);
  const text = await answer.text();
  return [...text.matchAll(/<d:href>([^<]*)<\/d:href>.*?<d:getcontentlength>(\d+)</g)]
    .map(([, href = "", length]) => [href.split("/").at(-1) ?? "", Number(length)]);
}

export async function assertNothingLeft(folder: string): Promise<void> {
  assert.deepEqual(hidden(folder), []);
  assert.deepEqual(await uploadParts.list(app.cubby.store), []);
  assert.deepEqual(await uploadChunks.list(app.cubby.store), []);
}
