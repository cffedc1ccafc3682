import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { runCommand, typeCommand } from "../../support/clients/command.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({
  config: { disableExec: false },
  tree: { anna: { "a b": { "x.txt": "x" }, "f.txt": "f" }, bea: {} },
});
const off = await startApp();
Deno.test.afterAll(app.close);
Deno.test.afterAll(off.close);
const commands = ["sh", "ls", "pwd", "echo", "nosuch"];
const anna = await app.addUser("anna", { scope: "/anna", perm: { execute: true }, commands });
const weak = await app.addUser("weak", { commands });
const { url } = app.listen();

const upgrade = { upgrade: "websocket", connection: "upgrade" };
const type = (line: string, path?: string, more?: string[]) =>
  runCommand(line, { url, token: anna.token, path, more });

Deno.test("command answers 403 when commands are off", async () => {
  const token = await off.tokenOf("admin");
  const ask = off.call("GET", "/api/command/", { token, headers: upgrade });
  assert.match(await assertRefused(await ask, 403, "forbidden"), /switched off/);
});

Deno.test("command refuses who is not signed in, and who may not execute", async () => {
  const headers = upgrade;
  await assertRefused(await app.call("GET", "/api/command/", { headers }), 401, "not_signed_in");
  const asked = await app.call("GET", "/api/command/", { headers, token: weak.token });
  assert.match(await assertRefused(asked, 403, "forbidden"), /"execute" is missing/);
});

Deno.test("command refuses what is no folder of one's own, and bad paths", async () => {
  const ask = (path: string) => app.call("GET", path, { headers: upgrade, token: anna.token });
  await assertRefused(await ask("/api/command/gone"), 404, "not_found");
  await assertRefused(await ask("/api/command/f.txt"), 404, "not_found");
  await assertRefused(await ask("/api/command/..%2fbea"), 400, "invalid_path");
});

Deno.test("command refuses requests that open no WebSocket", async () => {
  const token = anna.token;
  await assertRefused(await app.call("GET", "/api/command/", { token }), 400, "invalid_option");
  const post = await app.call("POST", "/api/command/", { token, json: "ls" });
  await assertRefused(post, 405, "method_not_allowed");
});

Deno.test("a line that is not allowed is answered with a sentence and closed for policy", async () => {
  for (const line of ["cat f.txt", "/bin/ls", "LS", "ls; pwd", "'ls '", "sh\u00a0-c ls"]) {
    const { lines, code, reason } = await type(line);
    assert.deepEqual([lines.length, code, reason], [1, 1008, "refused"], line);
    assert.match(lines[0] ?? "", /^Cannot run ".*": it is not among your commands$/);
  }
  const open = await type("ls 'a");
  assert.deepEqual([open.lines, open.code], [
    ["Cannot read the command line: a quote or a backslash is not closed"],
    1008,
  ]);
  assert.equal((await type(`ls ${"a".repeat(8_200)}`)).code, 1008);
});

Deno.test("a command runs in the folder of the path, and its status is the reason of the close", async () => {
  assert.deepEqual(await type("ls"), { lines: ["a b", "f.txt"], code: 1000, reason: "0" });
  assert.deepEqual(await type("ls", "/a%20b"), { lines: ["x.txt"], code: 1000, reason: "0" });
  assert.deepEqual(await type("ls", "/a%20b/"), { lines: ["x.txt"], code: 1000, reason: "0" });
  assert.deepEqual((await type("pwd")).lines, [`${app.root}/anna`]);
  assert.deepEqual(await type("sh -c 'exit 42'"), { lines: [], code: 1000, reason: "42" });
  assert.deepEqual(await type("sh -c 'kill -KILL $$'"), {
    ...{ lines: ["Killed"], code: 1000, reason: "137" },
  });
  const missing = await type("nosuch");
  assert.deepEqual(missing, { lines: ["nosuch: not found"], code: 1000, reason: "127" });
});

Deno.test("words are split with quotes and backslashes, and nothing in them is expanded", async () => {
  const { lines } = await type(`echo 'a  b' "c  $HOME" d\\ \\ e \`id\` * ~ ; echo x > y`);
  assert.deepEqual(lines, ["a  b c  $HOME d  e `id` * ~ ; echo x > y"]);
  assert.deepEqual([...Deno.readDirSync(`${app.root}/anna`)].length, 2);
});

Deno.test("output comes a line a message, from both streams, as it is printed", async () => {
  const script = "echo 1; echo 2 >&2; echo; printf 'ä\\377\\r\\n'; printf end";
  const { lines } = await type(`sh -c "${script.replaceAll("\\", "\\\\")}"`);
  assert.deepEqual(lines, ["1", "2", "", "ä\ufffd", "end"]);

  const waiting = typeCommand("sh -c 'mkfifo p; echo begun; cat p; rm p'", {
    ...{ url, token: anna.token },
  });
  await waiting.line(/begun/);
  assert.deepEqual((await type("sh -c 'echo over > p'")).reason, "0");
  assert.deepEqual(await waiting.outcome, { lines: ["begun", "over"], code: 1000, reason: "0" });
});

Deno.test("the first message that is not blank is the line, later ones are not heard", async () => {
  const { lines } = await type("  ", "/", ["", " echo first ", "echo second"]);
  assert.deepEqual(lines, ["first"]);
});

Deno.test("a shell of the settings gets the line as one argument, without shell signs", async () => {
  const { settings } = app.cubby;
  await settings.update({ ...await settings.get(), shell: ["sh", "-c"] });
  try {
    assert.deepEqual((await type("echo a   b")).lines, ["a b"]);
    for (const line of ["echo $HOME", "echo a; id", "echo a|b", "echo 'a'", "echo a\nid"]) {
      const { lines, code } = await type(line);
      assert.deepEqual([lines.length, code], [1, 1008], line);
    }
    assert.match((await type("cat f.txt")).lines[0] ?? "", /not among your commands/);
  } finally {
    await settings.update({ ...await settings.get(), shell: [] });
  }
});

Deno.test("a ticket opens the socket, as browsers can send no header", async () => {
  const json = { path: "/a b", use: "command" };
  const ticket = await (await app.call("POST", "/api/ticket", { token: anna.token, json })).text();
  const { lines } = await runCommand("ls", { url, ticket, path: "/a%20b" });
  assert.deepEqual(lines, ["x.txt"]);
});

Deno.test("every command leaves a line in the log, with who, where and how it ended", async () => {
  app.log.lines.length = 0;
  await type("echo 'a\nforged line'", "/a%20b");
  await type("cat /etc/passwd");
  const [ran = "", refused = ""] = app.log.lines;
  assert.match(
    ran,
    /^\S+Z command 0 \d+ms "echo 'a\\nforged line'" in "\/a b" by "anna" from 127\.0\.0\.1$/,
  );
  assert.match(refused, /^\S+Z command 126 \d+ms "cat \/etc\/passwd" in "\/" .*: Cannot run "cat"/);
  assert.equal(app.log.lines.length, 2);
});
