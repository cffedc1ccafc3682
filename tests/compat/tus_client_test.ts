/** tus-js-client, which most pages and programs upload by, against the whole application. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Agent } from "node:http";
import { join } from "node:path";
import { DefaultHttpStack, type PreviousUpload, Upload, type UploadOptions } from "tus-js-client";
import { delay } from "../../lib/shared/delay.ts";
import { askForFiles } from "../support/clients/visiting.ts";
import { startApp } from "../support/server/app.ts";

const app = await startApp({ inProcess: true });
Deno.test.afterAll(app.close);
const { url, port } = app.listen();
const size = 6_000_000;
const part = 2_000_000;

/** Bytes that differ at every place, so that a part at a wrong offset shows. */
const bytes = new Uint8Array(
  new Uint32Array(size / 4).map((_, index) => index * 2_654_435_761).buffer,
);

/** What one client does: how it ends, and the requests that it sends. */
interface Run {
  upload: Upload;
  /** `PATCH 2000000` with the offset for each request that brings bytes, `HEAD`, `POST`. */
  sent: string[];
  /** Answers with the error, or null on success. */
  ended: Promise<Error | null>;
}

/** Makes a client, which `start()` lets go. */
function clientOf(options: Partial<UploadOptions>): Run {
  const sent: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<Error | null>();
  const upload = new Upload(Buffer.from(bytes.buffer), {
    chunkSize: part,
    retryDelays: null,
    storeFingerprintForResuming: false,
    httpStack: new DefaultHttpStack({ agent: new Agent({ keepAlive: false }) }),
    onBeforeRequest(request) {
      const offset = request.getHeader("Upload-Offset");
      sent.push(`${request.getMethod()}${offset === undefined ? "" : ` ${offset}`}`);
    },
    onSuccess: () => resolve(null),
    onError: resolve,
    ...options,
  });
  return { upload, sent, ended };
}

/** A user with a folder of its own, and the options of a client that uploads to it. */
async function userOf(name: string, path = "up.bin") {
  await Deno.mkdir(join(app.root, name));
  const { user, token } = await app.addUser(name, { scope: `/${name}` });
  const options = { endpoint: `${url}/api/tus/${path}`, headers: { "X-Auth": token } };
  return { user, token, folder: join(app.root, name), options };
}

const arrived = async (path: string) =>
  assert.equal(Buffer.compare(await Deno.readFile(path), bytes), 0, `${path} arrived whole`);

/** Registers a test; the client's timers of progress end a tenth of a second after it. */
function test(name: string, body: () => Promise<void>): void {
  Deno.test(`tus-js-client: ${name}`, async () => {
    await body();
    // A quota that is changed counts its area behind the scenes.
    await app.cubby.quotas.settle();
    await delay(200);
  });
}

/** Pauses a client once a part has arrived; gives the address of the upload. */
async function stopAfterPart({ upload, ended }: Run): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // At once: the next part is not begun.
  upload.options.onChunkComplete = () => void upload.abort().then(resolve, reject);
  upload.start();
  assert.equal(await Promise.race([promise, ended]), undefined);
  upload.options.onChunkComplete = null;
  return upload.url ?? "";
}

test("a file arrives whole, with its first bytes in the first request or not", async () => {
  const { folder, options } = await userOf("plain");
  for (const uploadDataDuringCreation of [false, true]) {
    const run = clientOf({
      ...{ ...options, uploadDataDuringCreation },
      endpoint: `${options.endpoint}?override=true`,
    });
    run.upload.start();
    assert.equal(await run.ended, null);
    await arrived(join(folder, "up.bin"));
    await Deno.remove(join(folder, "up.bin"));
  }
});

test("an upload that was paused is resumed where it was", async () => {
  const { folder, options } = await userOf("paused");
  const run = clientOf(options);
  await stopAfterPart(run);
  await assert.rejects(Deno.stat(join(folder, "up.bin")), Deno.errors.NotFound);
  run.upload.start();
  assert.equal(await run.ended, null);
  await arrived(join(folder, "up.bin"));
  assert.equal(run.sent.filter((each) => each === "POST").length, 1);
  assert.equal(run.sent.filter((each) => each === "PATCH 0").length, 1, `${run.sent}`);
});

test("another client resumes an upload from the storage of addresses", async () => {
  const { folder, options } = await userOf("stored");
  const known = new Map<string, PreviousUpload>();
  const urlStorage: UploadOptions["urlStorage"] = {
    findAllUploads: () => Promise.resolve([...known.values()]),
    findUploadsByFingerprint: () => Promise.resolve([...known.values()]),
    removeUpload: (key) => Promise.resolve(void known.delete(key)),
    addUpload(key, upload) {
      known.set(key, { ...upload, urlStorageKey: key });
      return Promise.resolve(key);
    },
  };
  const more = {
    ...{ storeFingerprintForResuming: true, removeFingerprintOnSuccess: true, urlStorage },
    fingerprint: () => Promise.resolve("of the file"),
  };
  await stopAfterPart(clientOf({ ...options, ...more }));
  const next = clientOf({ ...options, ...more });
  const [previous] = await next.upload.findPreviousUploads();
  assert.ok(previous);
  next.upload.resumeFromPreviousUpload(previous);
  next.upload.start();
  assert.equal(await next.ended, null);
  await arrived(join(folder, "up.bin"));
  assert.equal(next.sent[0], "HEAD");
  assert.ok(!next.sent.includes("POST") && !next.sent.includes("PATCH 0"), `${next.sent}`);
  assert.equal(known.size, 0);
});

/** A network that breaks the first connection after so many bytes. */
function breakingOnce(after: number): { url: string; close(): Promise<void> } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let left = after;
  const both = async (near: Deno.TcpConn) => {
    using client = near;
    using server = await Deno.connect({ hostname: "127.0.0.1", port });
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (left > 0 && (left -= chunk.length) <= 0) return controller.error(new Error("broken"));
        controller.enqueue(chunk);
      },
    });
    const options = { preventClose: true, preventCancel: true, preventAbort: true };
    const up = client.readable.pipeThrough(counted).pipeTo(server.writable, options);
    const down = server.readable.pipeTo(client.writable, options);
    await Promise.race([up, down]).catch(() => {});
  };
  const ended = (async () => {
    const all: Promise<void>[] = [];
    for await (const near of listener) all.push(both(near).catch(() => {}));
    await Promise.all(all);
  })();
  const { port: own } = listener.addr as Deno.NetAddr;
  return {
    url: `http://127.0.0.1:${own}`,
    async close() {
      listener.close();
      await ended;
    },
  };
}

test("an upload outlasts a connection that breaks", async () => {
  const { folder, options } = await userOf("broken");
  const network = breakingOnce(3_000_000);
  const endpoint = options.endpoint.replace(url, network.url);
  const run = clientOf({ ...options, endpoint, chunkSize: Infinity, retryDelays: [0, 50, 200] });
  run.upload.start();
  assert.equal(await run.ended, null);
  await network.close();
  await arrived(join(folder, "up.bin"));
  assert.ok(run.sent.filter((each) => each === "HEAD").length > 0, `${run.sent}`);
  const offset = Number(run.sent.at(-1)?.split(" ")[1]);
  assert.ok(offset > 0, "what came before counts");
});

test("a recipient of a share adds a file, and a visitor sends one by a request", async () => {
  const { user, token, folder, options } = await userOf("sharing");
  const friend = await app.addUser("friend of sharing");
  const audience = {
    users: [friend.user.id],
    groups: [],
    rights: { [`user ${friend.user.id}`]: "upload" as const },
  };
  const whole = { userId: user.id, path: "/sharing", place: "/sharing" };
  const draft = { password: "", seconds: 0, terms: { audience } };
  const { hash } = await app.cubby.shares.create(
    whole as Parameters<typeof app.cubby.shares.create>[0],
    draft,
  );
  const asked = await askForFiles(app, token, "/");
  const entered = await app.call("POST", `/api/public/request/${asked}`, { json: {} });
  const { token: pass } = await entered.json();
  const ways: { endpoint: string; headers: Record<string, string>; name: string }[] = [
    {
      endpoint: `${url}/api/public/tus/${hash}`,
      headers: { "X-Auth": friend.token },
      name: "added.bin",
    },
    {
      endpoint: `${url}/api/public/request/${asked}/files`,
      headers: { "X-Request-Token": pass },
      name: "sent.bin",
    },
  ];
  for (const { endpoint, headers, name } of ways) {
    const given = { ...options, endpoint, headers, metadata: { filename: name } };
    const uploadUrl = await stopAfterPart(clientOf(given));
    const next = clientOf({ ...given, uploadUrl });
    next.upload.start();
    assert.equal(await next.ended, null, name);
    assert.ok(!next.sent.includes("PATCH 0"), `${next.sent}`);
    await arrived(join(folder, name));
  }
});

const refusals = {
  "its name was taken": {
    status: 409,
    refuse: (folder: string) => Deno.writeTextFile(join(folder, "up.bin"), "theirs"),
    allow: (folder: string) => Deno.remove(join(folder, "up.bin")),
  },
  "a quota was lowered": {
    status: 507,
    refuse: (_: string, id: number) =>
      app.cubby.users.update(id, { quota: { bytes: 1_000_000, files: 0 } }),
    allow: (_: string, id: number) => app.cubby.users.update(id, { quota: { bytes: 0, files: 0 } }),
  },
};

for (const [why, { status, refuse, allow }] of Object.entries(refusals)) {
  test(`an upload that is refused as ${why} is an error, and no byte is sent twice`, async () => {
    const { user, folder, options } = await userOf(`refused ${status}`);
    const first = clientOf(options);
    const uploadUrl = await stopAfterPart(first);
    // All bytes come, but the name is taken meanwhile.
    await Deno.writeTextFile(join(folder, "up.bin"), "theirs");
    const second = clientOf({ ...options, uploadUrl });
    second.upload.start();
    assert.match(`${await second.ended}`, /response code: 409/);
    await Deno.remove(join(folder, "up.bin"));

    await refuse(folder, user.id);
    // Given an endpoint too, the client begins an upload in place of one that is refused.
    const refused = clientOf({ ...options, endpoint: undefined, uploadUrl });
    refused.upload.start();
    assert.match(`${await refused.ended}`, new RegExp(`response code: ${status}`));
    assert.deepEqual(refused.sent, ["HEAD"]);
    await allow(folder, user.id);
    const last = clientOf({ ...options, uploadUrl });
    last.upload.start();
    assert.equal(await last.ended, null);
    assert.deepEqual(last.sent, ["HEAD"]);
    await arrived(join(folder, "up.bin"));
  });
}
