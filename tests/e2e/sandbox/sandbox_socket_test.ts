import assert from "node:assert/strict";
import { request } from "node:http";
import { join } from "node:path";
import { eventually } from "../../support/browser/listing.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";

const launcher = new URL("../../../lib/server/boot/launch.ts", import.meta.url).pathname;

interface Answer {
  status: number;
  text: string;
}

/** Sends a request over the socket of a server. */
function ask(
  socketPath: string,
  method: string,
  path: string,
  { headers = {}, body = "" }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => text += chunk);
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on("error", reject).end(body);
  });
}

function logIn(socket: string, { username, password }: RunningServer, headers = {}) {
  return ask(socket, "POST", "/api/login", {
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ username, password }),
  });
}

Deno.test("a server on a Unix socket answers as others do, and only there", async () => {
  await using folder = await temporaryFolder();
  const socket = join(folder.path, "cubby.sock");
  const flags = ["--socket", socket, "--trusted-proxies", "unix", "--webdav"];
  await using server = await startServer({ flags });
  assert.equal(server.url, `unix:${socket}`);
  assert.equal(((await Deno.stat(socket)).mode ?? 0) & 0o777, 0o660);
  assert.match(server.output(), /Not used: --port: the server listens on a socket/);

  assert.deepEqual(await ask(socket, "GET", "/health"), { status: 200, text: '{"status":"OK"}' });
  assert.equal((await ask(socket, "GET", "/health", { headers: { host: "a b" } })).status, 400);
  const { status, text: token } = await logIn(socket, server, { "x-forwarded-for": "192.0.2.7" });
  assert.equal(status, 200);
  const signed = { headers: { "x-auth": token } };
  const name = encodeURIComponent("#%?日本.txt");
  const address = `/api/resources/${name}`;
  assert.equal(
    (await ask(socket, "POST", address, { ...signed, body: "over a socket" })).status,
    200,
  );
  const file = await ask(socket, "GET", address, signed);
  assert.equal(JSON.parse(file.text).content, "over a socket");
  const sessions = JSON.parse((await ask(socket, "GET", "/api/sessions", signed)).text);
  assert.equal(sessions[0].address, "192.0.2.7", "the proxy before it is trusted");

  // A path in the query, for each kind of call; one that cannot be read is refused.
  const query = (path: string) => `?path=${encodeURIComponent(path)}`;
  const nested = "Bücher & Töne/#%?日本.txt";
  const call = (method: string, path: string, body?: string) =>
    ask(socket, method, `/api/${path}`, { ...signed, body });
  assert.equal((await call("GET", "raw?path=../x")).status, 400);
  assert.equal((await call("GET", "raw?path=%zz")).status, 400);
  assert.equal((await call("POST", `resources${query(nested)}`, "nested")).status, 200);
  assert.equal((await call("PUT", `resources/${query(nested)}`, "saved")).status, 200);
  assert.deepEqual(await call("GET", `raw${query(nested)}`), { status: 200, text: "saved" });
  const share = await call("POST", `share${query("Bücher & Töne")}`, "{}");
  const { hash } = JSON.parse(share.text);
  for (const visit of [query(`${hash}/#%?日本.txt`), `/${hash}/${name}`]) {
    const sent = await ask(socket, "GET", `/api/public/dl${visit}`);
    assert.deepEqual(sent, { status: 200, text: "saved" }, visit);
  }
  assert.equal((await ask(socket, "GET", `/share/${hash}`)).status, 200);

  const basic = btoa(`${server.username}:${server.password}`);
  const dav = (method: string, path: string, headers = {}) =>
    ask(socket, method, `/dav/${path}`, {
      headers: { authorization: `Basic ${basic}`, ...headers },
    });
  const place = encodeURI("Bücher & Töne/");
  const listing = await dav("PROPFIND", place, { depth: "1" });
  assert.equal(listing.status, 207);
  assert.match(listing.text, /%23%25%3F/);
  const moved = await dav("MOVE", `${place}${name}`, {
    destination: `http://localhost/dav/${place}moved.txt`,
  });
  assert.equal(moved.status, 201, moved.text);
  assert.equal((await dav("GET", `${place}moved.txt`)).text, "saved");
});

Deno.test("a socket that is in use, or none at all, is refused; a stale one is replaced", async () => {
  await using folder = await temporaryFolder();
  const socket = join(folder.path, "cubby.sock");
  await Deno.writeTextFile(socket, "a file");
  const flags = ["--socket", socket];
  await assert.rejects(startServer({ flags }), /Cannot listen on ".*": it is not a socket/);
  assert.equal(await Deno.readTextFile(socket), "a file");
  await Deno.remove(socket);

  {
    await using server = await startServer({ flags });
    await assert.rejects(startServer({ flags }), /Cannot listen on ".*": the socket is in use/);
    const { status } = await logIn(socket, server, { "x-forwarded-for": "192.0.2.7" });
    assert.equal(status, 200);
    Deno.kill(server.pid, "SIGKILL");
  }
  assert.ok((await Deno.lstat(socket)).isSocket, "it is left by a killed server");
  await using _again = await startServer({ flags });
  assert.equal((await ask(socket, "GET", "/health")).status, 200);
});

Deno.test("the log is appended to a file, which must be one that can be written", async () => {
  await using folder = await temporaryFolder();
  const log = join(folder.path, "cubby.log");
  await assert.rejects(startServer({ flags: ["--log", "/gone/cubby.log"] }), /Cannot use --log/);
  await assert.rejects(startServer({ flags: ["--log", folder.path] }), /Cannot write the log/);

  await Deno.writeTextFile(log, "before\n");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", launcher, "--port", "0", "--log", log],
    cwd: folder.path,
    env: { INIT_CWD: folder.path },
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await eventually(() => /Listening on http:.*\n/.test(Deno.readTextFileSync(log)));
    const [, url = ""] = /Listening on (\S+)/.exec(Deno.readTextFileSync(log)) ?? [];
    await (await fetch(`${url}health`)).body?.cancel();
    await eventually(() => / 200 .* GET \/health /.test(Deno.readTextFileSync(log)));
    assert.match(Deno.readTextFileSync(log), /^before\n/);
    Deno.truncateSync(log);
    await (await fetch(`${url}health`)).body?.cancel();
    await eventually(() => / GET \/health /.test(Deno.readTextFileSync(log)));
    assert.doesNotMatch(Deno.readTextFileSync(log), /\0/, "it goes on at the end");
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
});
