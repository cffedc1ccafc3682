import assert from "node:assert/strict";
import { join } from "node:path";
import { defaultSettings } from "../../../lib/server/features/settings/settings.ts";
import { administer } from "../../support/server/administer.ts";
import { eventually } from "../../support/browser/listing.ts";
import { runCommand, typeCommand } from "../../support/clients/command.ts";
import { plant } from "../../support/disks/files.ts";
import { uniqueSleep, untilSleepers } from "../../support/probes/processes.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";

const tree = { anna: { "own.txt": "own" }, bea: { "secret.txt": "secret" } };
const prepare = (root: string) => plant(root, tree);
const commands = ["sh", "cat", "sleep", "echo", "id"];
const on = ["--disable-exec=false"];

async function signIn({ url, username, password }: RunningServer): Promise<string> {
  const body = JSON.stringify({ username, password, recaptcha: "" });
  const answer = await fetch(`${url}/api/login`, { method: "POST", body });
  const token = await answer.text();
  assert.equal(answer.status, 200, token);
  return token;
}

async function call(server: RunningServer, token: string, method: string, path: string) {
  const body = method === "POST" ? "new" : undefined;
  const answer = await fetch(`${server.url}${path}`, {
    method,
    body,
    headers: { "x-auth": token },
  });
  return { status: answer.status, text: await answer.text() };
}

Deno.test("commands are off unless they are switched on", async () => {
  await using server = await startServer();
  assert.match(server.output(), /^Sandbox: .*; commands off/m);
  const { status, text } = await call(server, await signIn(server), "GET", "/api/command/");
  assert.equal(status, 403, text);
});

for (const workers of [1, 2]) {
  const told = `with ${workers} ${workers === 1 ? "worker" : "workers"}`;

  Deno.test(`commands run in their sandbox under the real server, ${told}`, async () => {
    await using server = await startServer({ workers, flags: on, prepare });
    assert.match(server.output(), /^Sandbox: .*; commands on, each in a sandbox of its own/m);
    await administer(server, { user: { scope: "/anna", commands } });
    const token = await signIn(server);
    const type = (line: string) => runCommand(line, { url: server.url, token });
    for (let round = 0; round < 2 * workers; round++) {
      assert.deepEqual(await type("cat own.txt"), { lines: ["own"], code: 1000, reason: "0" });
      assert.equal((await type("cat ../bea/secret.txt")).reason, "1");
      assert.equal((await type(`cat ${server.data}/cubby.kv`)).reason, "1");
    }
    assert.equal((await type("sh -c 'exit 5'")).reason, "5");
    assert.equal((await type("ls")).code, 1008);
    const environment = await type('sh -c \'cat /proc/*/environ | tr "\\0" "\\n"\'');
    assert.doesNotMatch(environment.lines.join("\n"), /CUBBY|FB_|PASSWORD|DENO/);
  });

  Deno.test(`hooks run under the real server, ${told}`, async () => {
    await using server = await startServer({ workers, flags: on, prepare });
    const events = defaultSettings().commands;
    const settings = {
      commands: {
        ...events,
        before_upload: [`sh -c 'case "$FILE" in *.exe) echo no; exit 1;; esac'`],
        after_upload: [`sh -c 'cp "$FILE" "$FILE.copy"'`],
      },
    };
    await administer(server, { settings });
    const token = await signIn(server);
    for (let round = 0; round < 2 * workers; round++) {
      const upload = (name: string) =>
        call(server, token, "POST", `/api/resources/${round}${name}`);
      assert.equal((await upload(".exe")).status, 403);
      assert.equal((await upload(".txt")).status, 200);
      assert.equal(await Deno.readTextFile(join(server.root, `${round}.txt.copy`)), "new");
      assert.throws(() => Deno.statSync(join(server.root, `${round}.exe`)), Deno.errors.NotFound);
    }
    const refusal = /Z before_upload 1 \d+ms .* by "admin" from 127\.0\.0\.1: no$/m;
    await eventually(() => refusal.test(server.output()));
  });

  Deno.test(`a command ends when its client hangs up or its session ends, ${told}`, async () => {
    await using server = await startServer({ workers, flags: on });
    await administer(server, { user: { commands } });
    for (const how of ["hang up", "sign out"]) {
      const token = await signIn(server);
      const seconds = uniqueSleep();
      const script = `sleep ${seconds} & setsid sleep ${seconds} & sleep ${seconds}`;
      const running = typeCommand(`sh -c '${script}'`, { url: server.url, token });
      await untilSleepers(seconds, 3);
      if (how === "hang up") await running.hangUp();
      else await call(server, token, "POST", "/api/logout");
      await running.outcome;
      await untilSleepers(seconds, 0);
    }
  });
}

Deno.test("commands end with the server, and so does the process that runs them", async () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await using server = await startServer({ flags: on });
    await administer(server, { user: { commands } });
    const token = await signIn(server);
    const seconds = uniqueSleep();
    const running = typeCommand(`sleep ${seconds}`, { url: server.url, token });
    await untilSleepers(seconds, 1);
    const sockets = () => hostsOf(server.root).length;
    assert.equal(sockets(), 1);
    Deno.kill(server.pid, signal);
    await running.outcome;
    await untilSleepers(seconds, 0);
    await server.ended;
    await eventually(() => sockets() === 0);
  }
});

/** The processes that run commands for a root. */
function hostsOf(root: string): string[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => name).filter((name) => {
    try {
      const words = Deno.readTextFileSync(`/proc/${name}/cmdline`).split("\0");
      return words.some((word) => word.endsWith("/commands/host.js")) &&
        words.some((word) => word.includes(JSON.stringify(root)));
    } catch {
      return false;
    }
  });
}

Deno.test("without a sandbox commands run only when that is said, and the start says it, too", async () => {
  await using server = await startServer({ flags: [...on, "--exec-sandbox=none"], prepare });
  assert.match(server.output(), /^Sandbox: .*; commands on, WITHOUT A SANDBOX/m);
  await administer(server, { user: { scope: "/anna", commands } });
  const token = await signIn(server);
  const { lines } = await runCommand("cat ../bea/secret.txt", { url: server.url, token });
  assert.deepEqual(lines, ["secret"]);
});
