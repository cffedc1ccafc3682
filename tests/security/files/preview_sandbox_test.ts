import assert from "node:assert/strict";
import { join } from "node:path";
import sharp from "sharp";
import { plant } from "../../support/disks/files.ts";
import { blackPng, looksOf, quarters } from "../../support/data/pictures.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";

const photo = await sharp({
  create: {
    ...{ width: 4000, height: 3000, channels: 3, background: "#888" },
    noise: { type: "gaussian", mean: 128, sigma: 30 },
  },
}).jpeg({ quality: 80 }).toBuffer();
const small = quarters(400, 300);
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9"
  height="9" fill="rgb(20,180,20)"/><text x="1" y="5">A word</text></svg>`;

async function signIn({ url, username, password }: RunningServer) {
  const body = JSON.stringify({ username, password, recaptcha: "" });
  const token = await (await fetch(`${url}/api/login`, { method: "POST", body })).text();
  return (path: string) =>
    fetch(`${url}/api/preview${path}`, {
      headers: { "x-auth": token, accept: "image/webp", connection: "close" },
    });
}

/** The most memory that a process held, in MiB. */
function peakOf(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** As many as the run asks for; both when a file is run by itself. */
const counts = Deno.env.has("WORKERS") ? [Number(Deno.env.get("WORKERS"))] : [1, 2];

for (const workers of counts) {
  Deno.test(`previews of every kind are made in the sandbox, with ${workers} threads`, async () => {
    await using server = await startServer({
      workers,
      prepare: async (root) =>
        await plant(root, {
          "a.jpg": await small.jpeg().toBuffer(),
          "b.png": await small.png().toBuffer(),
          "c.gif": await small.gif().toBuffer(),
          "d.webp": await small.webp().toBuffer(),
          "e.avif": await small.avif({ effort: 0 }).toBuffer(),
          "f.tiff": await small.tiff().toBuffer(),
          "g.svg": drawing,
          "bomb.png": blackPng(16_384, 16_384),
          "lie.jpg": "no picture",
          ...Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${index}.jpg`, photo])),
        }),
    });
    const get = await signIn(server);

    for (const name of ["a.jpg", "b.png", "c.gif", "d.webp", "e.avif", "f.tiff"]) {
      for (let round = 0; round < 3; round++) {
        const answer = await get(`/thumb/${name}`);
        const bytes = await answer.bytes();
        assert.equal(answer.status, 200, `${name} ${new TextDecoder().decode(bytes)}`);
        const { width, corners } = await looksOf(bytes);
        assert.equal(width, 256);
        assert.equal(corners, "red green blue white", name);
      }
    }
    for (const name of ["bomb.png", "lie.jpg", "g.svg"]) {
      const answer = await get(`/big/${name}`);
      assert.equal(answer.status, 501, await answer.text());
    }
    const all = Array.from({ length: 16 }, (_, index) => get(`/thumb/${index}.jpg`));
    for (const answer of await Promise.all(all)) {
      assert.equal((await looksOf(await answer.bytes())).width, 256);
    }

    const told = server.output();
    assert.match(told, /Previews: made with sharp /);
    assert.doesNotMatch(told, /error|denied|failed|fontconfig/i, told);
    assert.ok([...Deno.readDirSync(join(server.data, "cache/previews"))].length > 0);
    const peak = peakOf(server.pid);
    // A further serving thread has some 40 MiB of its own, and threads for its previews.
    const most = workers === 1 ? 250 : 350;
    assert.ok(peak < most, `${peak.toFixed()} MiB`);
    assert.equal(await server.stop(), 0);
  });
}
