/** Uploads that do not fit on the disk. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { basic } from "../support/clients/dav.ts";
import { askForFiles } from "../support/clients/visiting.ts";
import { smallDisk } from "../support/disks/small_disk.ts";
import { type CallOptions, startApp, type TestApp, userPassword } from "../support/server/app.ts";
import { assertRefused, assertStatus } from "../support/server/refused.ts";

/** Mounting wants the superuser. */
const ignore = Deno.uid() !== 0;
const tooLong = 3 * 2 ** 20;

/** What is free on the disk is no business of visitors. */
const figures = /\d/;

interface Stage extends AsyncDisposable {
  app: TestApp;
  token: string;
  /** Sends a body that does not fit, by a call of which no byte may be read. */
  refused(method: string, path: string, options?: CallOptions): Promise<void>;
}

async function stage(): Promise<Stage> {
  const disk = await smallDisk("size=2m");
  const root = join(disk.path, "root");
  const config = { root, webdav: true };
  const app = await startApp({ inProcess: true, config, tree: { "a.txt": "a" } });
  const { token } = await app.addUser("ursula");
  const refused = async (method: string, path: string, options: CallOptions = {}) => {
    let read = 0;
    const body = new ReadableStream({
      pull(controller) {
        read += 1;
        controller.error(new Error("the body was read"));
      },
    }, { highWaterMark: 0 });
    const headers = { "content-length": `${tooLong}`, ...options.headers };
    const answer = await app.call(method, path, { token, body, ...options, headers });
    const message = await assertRefused(answer, 507, "disk_full", `${method} ${path}`);
    assert.doesNotMatch(message, figures);
    assert.equal(read, 0, `${method} ${path} reads no byte`);
  };
  return {
    ...{ app, token, refused },
    async [Symbol.asyncDispose]() {
      await app.close();
      await disk[Symbol.asyncDispose]();
    },
  };
}

const names = (root: string) => [...Deno.readDirSync(root)].map(({ name }) => name).sort();

Deno.test({
  name: "an upload of known length that does not fit is refused before its first byte",
  ignore,
  async fn() {
    await using here = await stage();
    const { app, token, refused } = here;
    await refused("POST", "/api/resources/new/b.txt");
    await refused("POST", "/api/resources/a.txt?override=true");
    await refused("PUT", "/api/resources/a.txt");
    for (const encoding of ["utf-16le", "windows-1252", "utf-8-bom"]) {
      await refused("PUT", `/api/resources/a.txt?encoding=${encoding}`);
    }
    const davOptions = {
      token: undefined,
      headers: { authorization: basic("ursula", userPassword) },
    };
    await refused("PUT", "/dav/b.txt", davOptions);
    for (const name of ["x-expected-entity-length", "oc-total-length"]) {
      const headers = { ...davOptions.headers, [name]: `${tooLong}` };
      const chunked = { ...davOptions, headers, body: endless() };
      await assertRefused(await app.call("PUT", "/dav/b.txt", chunked), 507, "disk_full", name);
    }
    const begins = { "upload-length": `${tooLong}` };
    const begun = await app.call("POST", "/api/tus/new/b.txt", { token, headers: begins });
    await assertRefused(begun, 507, "disk_full");
    assert.deepEqual(names(app.root), ["a.txt"]);
    const fits = { token, headers: { "content-length": "3" }, body: "abc" };
    await assertStatus(await app.call("POST", "/api/resources/c.txt", fits), 200);
  },
});

Deno.test({
  name: "recipients and visitors are refused in the same way, and learn no sizes of the disk",
  ignore,
  async fn() {
    await using here = await stage();
    const { app, token, refused } = here;
    await Deno.mkdir(join(app.root, "box"));
    await Deno.writeTextFile(join(app.root, "box/a.txt"), "a");
    const friend = await app.addUser("friend");
    const json = { audience: [{ name: "friend", may: "edit" }] };
    const shared = await app.call("POST", "/api/share/box", { token, json });
    const { hash } = await shared.json();
    await refused("PUT", `/api/public/share/${hash}/a.txt`, { token: friend.token });
    const metadata = { "upload-length": `${tooLong}`, "upload-metadata": `filename ${btoa("b")}` };
    const added = await app.call("POST", `/api/public/tus/${hash}`, {
      token: friend.token,
      headers: metadata,
    });
    assert.doesNotMatch(await assertRefused(added, 507, "disk_full"), figures);
    const request = `/api/public/request/${await askForFiles(app, token, "/box")}`;
    const entered = await (await app.call("POST", request, { json: {} })).json();
    const sent = await app.call("POST", `${request}/files`, {
      headers: { "x-request-token": entered.token, ...metadata },
    });
    assert.doesNotMatch(await assertRefused(sent, 507, "disk_full"), figures);
    assert.deepEqual(names(join(app.root, "box")), ["a.txt"]);
  },
});

Deno.test({
  name: "a part is refused at once when the disk has filled up since the upload began",
  ignore,
  async fn() {
    await using here = await stage();
    const { app, token, refused } = here;
    const begins = { "upload-length": `${2 ** 20}` };
    const begun = await app.call("POST", "/api/tus/b.txt", { token, headers: begins });
    await assertStatus(begun, 201);
    await Deno.writeFile(join(app.root, "filler"), new Uint8Array(1.5 * 2 ** 20));
    const headers = {
      "content-length": `${2 ** 20}`,
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
    };
    await refused("PATCH", "/api/tus/b.txt", { headers });
    const state = await app.call("HEAD", "/api/tus/b.txt", { token });
    assert.equal(state.headers.get("upload-offset"), "0");
  },
});

/** A body that is sent in chunks, and must not be read to its end. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
}
