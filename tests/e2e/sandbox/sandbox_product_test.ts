import assert from "node:assert/strict";
import { join } from "node:path";
import { plantBytes, sha256, temporaryFolder } from "../../support/disks/files.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";

const top = new URL("../../..", import.meta.url).pathname;

/** A signed-in caller of the API. */
async function signIn(url: string, username: string, password: string) {
  const login = await fetch(`${url}/api/login`, {
    method: "POST",
    body: JSON.stringify({ username, password, recaptcha: "" }),
  });
  const token = await login.text();
  assert.equal(login.status, 200, token);
  return async (method: string, path: string, body?: BodyInit) => {
    const answer = await fetch(`${url}${path}`, { method, body, headers: { "x-auth": token } });
    return { status: answer.status, bytes: await answer.bytes(), headers: answer.headers };
  };
}

function namesOf(bytes: Uint8Array): string[] {
  const { items }: { items: { name: string }[] } = JSON.parse(new TextDecoder().decode(bytes));
  return items.map(({ name }) => name).sort();
}

for (const workers of [1, 2]) {
  Deno.test(`the product works in full in its sandbox, with ${workers} threads`, async () => {
    await using source = await temporaryFolder();
    const sum = await plantBytes(join(source.path, "large.bin"), 5_000_000);
    const content = await Deno.readFile(join(source.path, "large.bin"));
    await using server = await startServer({ workers });
    const call = await signIn(server.url, server.username, server.password);

    for (let round = 0; round < 4; round++) {
      const folder = `/api/resources/round%20${round}`;
      assert.equal((await call("POST", `${folder}/`)).status, 200);
      assert.equal((await call("POST", `${folder}/ä.bin`, content)).status, 200);
      assert.equal(await sha256(join(server.root, `round ${round}`, "ä.bin")), sum);
      assert.deepEqual(namesOf((await call("GET", folder)).bytes), ["ä.bin"]);
      const raw = await call("GET", `/api/raw/round%20${round}/ä.bin`);
      assert.deepEqual([raw.status, raw.bytes.length], [200, content.length]);
      assert.equal((await call("GET", "/api/usage/")).status, 200);
      assert.equal((await call("DELETE", folder)).status, 200);
    }
    assert.deepEqual([...Deno.readDirSync(server.root)], []);
    assert.equal((await call("GET", "/api/raw/..%2f..%2fetc%2fpasswd")).status, 400);
    await showsPages(server);
    assert.equal(await server.stop(), 0);
  });
}

async function showsPages(server: RunningServer): Promise<void> {
  const page = await fetch(`${server.url}/login`);
  const html = await page.text();
  assert.equal(page.status, 200, html);
  const scripts = html.match(/\/_fresh\/js\/[^"']+\.js/g) ?? [];
  assert(scripts.length > 0);
  for (const script of new Set(scripts)) {
    const answer = await fetch(`${server.url}${script}`);
    assert.equal(answer.status, 200);
    assert((await answer.bytes()).length > 100);
  }
}

Deno.test("links of the root that lead out of it are refused by the real product", async () => {
  await using outside = await temporaryFolder();
  await Deno.writeTextFile(join(outside.path, "secret.txt"), "secret");
  const prepare = (root: string) => Deno.symlink(outside.path, join(root, "out"));
  await using server = await startServer({ prepare });
  const call = await signIn(server.url, server.username, server.password);
  for (const [method, path] of [["GET", "raw"], ["POST", "resources"], ["DELETE", "resources"]]) {
    const body = method === "POST" ? "overwritten" : undefined;
    const answer = await call(method ?? "", `/api/${path}/out/secret.txt`, body);
    assert.equal(answer.status, 403, `${method} ${path}`);
  }
  assert.equal(await Deno.readTextFile(join(outside.path, "secret.txt")), "secret");
});

Deno.test("the log has one line a request, with the user, without tokens", async () => {
  await using server = await startServer();
  const call = await signIn(server.url, server.username, server.password);
  await call("GET", "/api/resources/?limit=1");
  await fetch(`${server.url}/api/raw/a.txt?auth=secret-ticket`).then((answer) => answer.text());
  await untilLogged(server, / 401 \S+ms GET \/api\/raw\/a\.txt - 127\.0\.0\.1$/m);
  const log = server.output();
  assert.match(log, /^\S+Z 200 [\d.]+ms POST \/api\/login /m);
  assert.match(log, /^\S+Z 200 [\d.]+ms GET \/api\/resources\/ admin 127\.0\.0\.1$/m);
  assert(!log.includes("secret-ticket") && !log.includes("limit="));
});

async function untilLogged(server: RunningServer, line: RegExp): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!line.test(server.output()) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.match(server.output(), line);
}

Deno.test("deno task start serves the folder it was called from, and prints one password, once", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(join(folder.path, "mine.txt"), "mine");
  const first = await startIn(folder.path);
  const [, password = ""] = /password (\S+)$/m.exec(first.output) ?? [];
  try {
    const call = await signIn(first.url, "admin", password);
    const listing = namesOf((await call("GET", "/api/resources/")).bytes);
    // The store and the cache lie there as well, and are nobody's to see.
    assert.deepEqual(listing, ["mine.txt"]);
    assert(Deno.statSync(join(folder.path, "filebrowser.kv")).isFile);
    assert.equal((await call("GET", "/api/raw/filebrowser.kv")).status, 403);
  } finally {
    await first.stop();
  }
  // A log that stayed would be replayed over a backup put in the store's place.
  assert(![...Deno.readDirSync(folder.path)].some(({ name }) => name.endsWith("-wal")));

  const second = await startIn(folder.path);
  try {
    assert.doesNotMatch(second.output, /password/);
    await signIn(second.url, "admin", password);
  } finally {
    await second.stop();
  }
});

/** Starts the task as a user does who stands in the folder. */
async function startIn(folder: string) {
  // Set where these tests are themselves run by a task; it would name that task's folder.
  const { INIT_CWD: _, ...env } = Deno.env.toObject();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--config", join(top, "deno.json"), "start", "--port", "0"],
    cwd: folder,
    env,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let output = "";
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  while (!/Listening on \S+\n/.test(output)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The server does not listen:\n${output}`);
    output += value;
  }
  async function stop(): Promise<void> {
    child.kill("SIGTERM");
    assert.equal((await child.status).code, 0);
    await reader.cancel();
  }
  const url = /Listening on (\S+)\/\n/.exec(output)?.[1] ?? "";
  return { output, url, stop };
}
