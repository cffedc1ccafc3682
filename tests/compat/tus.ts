/** Clients of resumable uploads: tus-js-client, as File Browser's front end has it, and a plain one. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { Upload } from "tus-js-client";
import { delay } from "../../lib/shared/delay.ts";
import { type Client, replay, type Scenario, type Scene, signIn } from "./scene.ts";

const size = 12_000_000;

/** Bytes that differ at every place, so that a part at a wrong offset shows. */
function someBytes(): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(size / 4).map((_, index) => index * 2_654_435_761);
  return new Uint8Array(words.buffer);
}

/**
 * Uploads as the front end does. It is stopped once so much has come, if that is said.
 *
 * @returns the address of the upload
 */
async function sendByTus(
  { scene, token }: Client,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  options: { stopAt?: number; uploadUrl?: string; override?: boolean } = {},
): Promise<string> {
  const { stopAt = Infinity, uploadUrl, override = false } = options;
  return await new Promise((resolve, reject) => {
    const upload: Upload = new Upload(Buffer.from(bytes.buffer), {
      endpoint: `${scene.server.url}/api/tus${path}?override=${override}`,
      uploadUrl,
      chunkSize: 5 * 2 ** 20,
      retryDelays: null,
      parallelUploads: 1,
      storeFingerprintForResuming: false,
      headers: { "X-Auth": token },
      onChunkComplete(_length, accepted) {
        if (accepted < stopAt) return;
        void upload.abort().then(() => resolve(upload.url ?? ""), reject);
      },
      onSuccess: () => resolve(upload.url ?? ""),
      onError: reject,
    });
    upload.start();
  });
}

async function assertArrived(scene: Scene, name: string, bytes: Uint8Array): Promise<void> {
  const content = await Deno.readFile(join(scene.server.root, name));
  assert.equal(Buffer.compare(content, bytes), 0, `${name} arrived whole`);
}

const tusJsClient: Scenario = {
  name: "tus-js-client uploads, goes on after a break, and replaces only when told to",
  async run(scene) {
    const client = await signIn(scene);
    const bytes = someBytes();
    const path = "/tus%20js/%23%25%3F.bin";
    const address = await sendByTus(client, path, bytes, { stopAt: 5 * 2 ** 20 });
    assert.equal(new URL(address).pathname, `/api/tus${path}`);
    await assert.rejects(
      Deno.stat(join(scene.server.root, "tus js/#%?.bin")),
      Deno.errors.NotFound,
    );
    await sendByTus(client, path, bytes, { uploadUrl: address });
    await assertArrived(scene, "tus js/#%?.bin", bytes);

    await assert.rejects(sendByTus(client, path, bytes), /response code: 409/);
    const other = bytes.toReversed();
    await sendByTus(client, path, other, { override: true });
    await assertArrived(scene, "tus js/#%?.bin", other);
    // Its timers of progress end a tenth of a second after it.
    await delay(200);
  },
};

const part = { "content-type": "application/offset+octet-stream", "tus-resumable": "1.0.0" };

const plainClient: Scenario = {
  name: "a plain tus client asks, begins, sends, looks and drops",
  async run(scene) {
    const client = await signIn(scene);
    const offsetIs = (offset: number) => (answer: Response) =>
      assert.equal(answer.headers.get("upload-offset"), `${offset}`);
    const target = "/api/tus/plain/up.txt";
    const begins = { "upload-length": "6", "tus-resumable": "1.0.0" };
    await replay(client, [
      {
        sends: `OPTIONS ${target}`,
        gives: 204,
        reads: (answer) => assert.equal(answer.headers.get("tus-version"), "1.0.0"),
      },
      { sends: `POST ${target}`, headers: begins, gives: 201 },
      {
        sends: `PATCH ${target}`,
        headers: { ...part, "upload-offset": "0" },
        body: "abc",
        gives: 204,
      },
      {
        sends: `PATCH ${target}`,
        headers: { ...part, "upload-offset": "3" },
        body: "",
        gives: 204,
        reads: offsetIs(3),
      },
      { sends: `HEAD ${target}`, gives: 200, reads: offsetIs(3) },
      {
        sends: `PATCH ${target}`,
        headers: { ...part, "upload-offset": "0" },
        body: "abc",
        gives: 409,
      },
      {
        sends: `PATCH ${target}`,
        headers: { ...part, "upload-offset": "3" },
        body: "def",
        gives: 204,
      },
      { sends: `HEAD ${target}`, gives: 200, reads: offsetIs(6) },
      { sends: `POST ${target}?override=true`, headers: begins, gives: 201 },
      { sends: `DELETE ${target}`, gives: 204 },
      { sends: "POST /api/tus/plain/folder/?override=false", gives: 201 },
    ]);
    await assertArrived(scene, "plain/up.txt", new TextEncoder().encode("abcdef"));
  },
};

/** The clients of resumable uploads. */
export const resumers: readonly Scenario[] = [tusJsClient, plainClient];
