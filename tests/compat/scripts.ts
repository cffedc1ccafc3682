/** Other clients: programs in Python, a command line and an app. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Recorded, replay, type Scenario, signIn } from "./scene.ts";

/** It streams a file into one POST, and takes 200 alone for success. */
const pythonUpload: Scenario = {
  name: "filebrowser-upload",
  async run(scene) {
    const agent = { "user-agent": "python-requests/2.32.3", accept: "*/*" };
    const client = await signIn(scene);
    const bytes = crypto.getRandomValues(new Uint8Array(50_000));
    const target = "/api/resources/python/made/on%20the%20way.bin";
    await replay(client, [
      { sends: `POST ${target}?override=false`, headers: agent, body: bytes, gives: 200 },
      { sends: `POST ${target}?override=false`, headers: agent, body: bytes, gives: 409 },
      { sends: `POST ${target}?override=true`, headers: agent, body: bytes, gives: 200 },
    ]);
    const path = join(scene.server.root, "python/made/on the way.bin");
    assert.deepEqual(new Uint8Array(await Deno.readFile(path)), bytes);
  },
};

/** It lists, uploads, moves, downloads and deletes, and reads refusals as text. */
const commandLine: Scenario = {
  name: "a client for the command line",
  tree: { cli: { "old name.txt": "text" } },
  async run(scene) {
    const client = await signIn(scene);
    const curl = { "user-agent": "curl/8.14.1", accept: "*/*" };
    // It encodes the destination once.
    const to = "destination=/cli/new%20name.txt&override=true&rename=false";
    await replay(client, [
      { sends: "GET /api/resources/cli", headers: curl, gives: 200 },
      { sends: `PATCH /api/resources/cli/old%20name.txt?action=rename&${to}`, gives: 200 },
      {
        sends: "GET /api/raw/cli/new%20name.txt",
        headers: { ...curl, range: "bytes=1-2" },
        gives: 206,
        reads: async (answer) => assert.equal(await answer.text(), "ex"),
      },
      {
        sends: "GET /api/resources/cli/none.txt",
        headers: curl,
        gives: 404,
        reads: async (answer) => assert.match(await answer.text(), /^Cannot .*\n$/),
      },
      {
        sends: "DELETE /api/resources/cli/new%20name.txt",
        headers: curl,
        gives: { "spec": 200, "2.63": 204 },
        async reads(answer) {
          assert.equal(await answer.text(), scene.compat === "2.63" ? "" : "OK\n");
        },
      },
      {
        sends: "GET /health",
        anonymous: true,
        gives: 200,
        reads: async (answer) => assert.deepEqual(await answer.json(), { status: "OK" }),
      },
    ]);
  },
};

/** An app whose library (Retrofit) takes a path for one segment, and encodes its slashes. */
const androidApp: Scenario = {
  name: "an app that encodes the slashes of paths",
  tree: { droid: { "in it": { "ä.txt": "text", "b.txt": "b" } }, "droid.txt": "outside" },
  async run(scene) {
    const client = await signIn(scene);
    const gives = (status: number) => ({ "spec": 400, "2.63": status });
    await replay(client, [
      {
        sends: "GET /api/resources/droid%2Fin%20it",
        gives: gives(200),
        async reads(answer) {
          if (answer.ok) assert.equal((await answer.json()).path, "/droid/in it");
        },
      },
      { sends: "GET /api/resources/%2Fdroid%2fin%20it%2F", gives: gives(200) },
      {
        sends: "GET /api/raw/droid%2Fin%20it/%C3%A4.txt",
        gives: gives(200),
        async reads(answer) {
          if (answer.ok) assert.equal(await answer.text(), "text");
        },
      },
      {
        sends: "PATCH /api/resources/droid%2Fin%20it%2Fb.txt?action=rename&" +
          "destination=%2Fdroid%2Fc.txt&override=false&rename=false",
        gives: gives(200),
      },
      { sends: "DELETE /api/resources/droid%2Fc.txt", gives: gives(204) },
      // Nothing climbs: neither out of the folder, nor to another call.
      ...[
        ...["droid%2F..%2Fdroid.txt", "%2e%2e%2fusers", "..%2F..%2Fhealth", "droid%2F%2e%2e/droid"],
        ...["droid%2F%00", "droid%2F%2e"],
      ].map((path): Recorded => ({ sends: `GET /api/resources/${path}`, gives: 400 })),
      { sends: "GET /api/resources/droid%252Fin%20it", gives: 404 },
      { sends: "GET /api/users%2F1", gives: 404 },
    ]);
  },
};

/** A program that downloads a share folder by folder, each with an encoded slash at its end. */
const shareDownloader: Scenario = {
  name: "filebrowser-downloader",
  tree: { given: { "a #1.txt": "one", "in ü": { "b.txt": "two" } } },
  async run(scene) {
    const client = await signIn(scene);
    const gives = { "spec": 400, "2.63": 200 };
    await replay(client, [
      {
        sends: "POST /api/share/given",
        body: "{}",
        gives: 200,
        reads: async (answer, { known }) => void known.set("hash", (await answer.json()).hash),
      },
      {
        sends: "GET /api/public/share/{hash}/in%20%C3%BC/%2F",
        ...{ anonymous: true, gives },
        async reads(answer) {
          if (answer.ok) assert.equal((await answer.json()).items[0].path, "/in ü/b.txt");
        },
      },
      {
        sends: "GET /api/public/dl/{hash}/in%20%C3%BC/b.txt",
        ...{ anonymous: true, gives: 200 },
        reads: async (answer) => assert.equal(await answer.text(), "two"),
      },
      { sends: "GET /api/public/share/{hash}%2F..%2F{hash}", anonymous: true, gives: 400 },
    ]);
  },
};

/** The scripts. */
export const scripts: readonly Scenario[] = [
  ...[pythonUpload, commandLine, androidApp, shareDownloader],
];
