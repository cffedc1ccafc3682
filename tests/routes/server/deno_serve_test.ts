import assert from "node:assert/strict";
import { join } from "node:path";
import { compiledFolder } from "../../../lib/server/core/config/app_folder.ts";
import { delay } from "../../../lib/shared/delay.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { follow } from "../../support/clients/watching.ts";

const top = new URL("../../..", import.meta.url).pathname;
const password = "a cub naps beside 7 rivers";

Deno.test("deno task start refuses the platform's own store, which is for deno serve", async () => {
  await using folder = await temporaryFolder();
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--cached-only", "lib/server/boot/launch.ts", "--port", "0"],
      ...["--database", ":default:", "--root", folder.path],
    ],
    cwd: top,
  }).output();
  assert.equal(code, 2);
  assert.match(new TextDecoder().decode(stderr), /^Cannot use the database ":default:"[^\n]*\n$/);
  assert.deepEqual([...Deno.readDirSync(folder.path)], []);
});

Deno.test("deno serve runs the build, on the environment alone and a volume", async (t) => {
  await using folder = await temporaryFolder();
  const volume = join(folder.path, "volume");
  const cache = join(folder.path, "cache");
  const deno = join(folder.path, "deno");
  for (const path of [volume, cache]) Deno.mkdirSync(path);
  // The platform's store lies in Deno's own folder; the compiled code of the build is there, too.
  await new Deno.Command("cp", { args: ["-R", compiledFolder, deno] }).output();
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["serve", "--cached-only", "--no-prompt", "--host", "127.0.0.1", "--port", String(port)],
      // Nothing besides the volume and the cache is written: the code is read-only.
      ...["--allow-read", "--allow-env", "--allow-net", "--allow-sys", "--allow-ffi"],
      ...[`--allow-write=${volume},${cache}`, "_fresh/server.js"],
    ],
    cwd: top,
    env: {
      ...{ DENO_DIR: deno, FB_ROOT: volume, FB_DATABASE: ":default:", FB_CACHE_DIR: cache },
      ...{ FB_USERNAME: "admin", FB_PASSWORD: password, FB_PORT: "1", FB_WORKERS: "4" },
    },
    ...{ stdin: "null", stdout: "piped", stderr: "piped" },
  }).spawn();
  const output: string[] = [];
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) output.push(text);
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(`${url}/health/ready`);

    await t.step("it says at the start what is missing", async () => {
      // What it printed before it was ready may be read a moment later.
      const isRead = () => /FB_WORKERS.*\n/.test(output.join(""));
      for (const end = Date.now() + 30_000; !isRead() && Date.now() < end;) await delay(10);
      const printed = output.join("");
      assert.match(printed, /^Sandbox: none of its own, as the launcher did not start it/m);
      assert.match(printed, /^Not used: FB_PORT: deno serve listens/m);
      assert.match(printed, /^Not used: FB_WORKERS: deno serve listens/m);
    });

    const login = await fetch(`${url}/api/login`, {
      method: "POST",
      body: JSON.stringify({ username: "admin", password }),
    });
    const token = await login.text();
    assert.equal(login.status, 200, token);
    const headers = { "x-auth": token };

    await t.step("it serves the volume, with its Workers", async () => {
      const upload = await fetch(`${url}/api/resources/a/b.txt`, {
        ...{ method: "POST", headers, body: "kept" },
      });
      assert.equal(upload.status, 200, await upload.text());
      assert.equal(Deno.readTextFileSync(join(volume, "a", "b.txt")), "kept");
      const found = await fetch(`${url}/api/search/?query=b.txt`, { headers });
      assert.match(await found.text(), /b\.txt/);
      const zip = await fetch(`${url}/api/raw/a/?algo=zip`, { headers });
      assert.equal(zip.status, 200);
      await zip.body?.cancel();
    });

    await t.step("SIGTERM ends event streams, then the process, in order", async () => {
      await using watching = follow(await fetch(`${url}/api/watch/`, { headers }));
      assert.equal(await watching.next(), "ready");
      child.kill("SIGTERM");
      assert.equal(await watching.next(), null);
      assert.equal((await child.status).code, 0, output.join(""));
    });
  } finally {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await child.status;
    await Promise.all(reading);
  }
});

async function untilReady(address: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      const answer = await fetch(address);
      await answer.body?.cancel();
      if (answer.status === 200) return;
    } catch {
      // It does not listen yet.
    }
    assert.ok(Date.now() < deadline, "it is not ready within 120 s");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
