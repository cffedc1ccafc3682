import assert from "node:assert/strict";
import {
  type RunningServer,
  type ServerOptions,
  startServer,
} from "../../support/server/server.ts";

/** Longer than the server takes to notice the end of what started it, in milliseconds. */
const noticeMs = 1_500;

async function isServing(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health`);
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

async function assertEnds(server: RunningServer): Promise<void> {
  for (const deadline = Date.now() + 60_000; await isServing(server.url);) {
    assert.ok(Date.now() < deadline, "the server lives on");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Ends the processes that have the root of a server among their arguments. */
function endAll({ root }: RunningServer): void {
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === Deno.pid) continue;
    try {
      const words = Deno.readTextFileSync(`/proc/${name}/cmdline`);
      if (words.includes(root)) Deno.kill(Number(name), "SIGTERM");
    } catch {
      // It has ended.
    }
  }
}

const npx = { program: "npx", command: ["-y", `deno@${Deno.version.deno}`, "task", "start"] };
const task = { command: ["task", "start"] };

const starters: [name: string, options: ServerOptions, signal: Deno.Signal][] = [
  ["npx", npx, "SIGTERM"],
  ["npx", { ...npx, workers: 2 }, "SIGKILL"],
  ["deno task", task, "SIGTERM"],
  ["deno task", task, "SIGKILL"],
];

for (const [name, options, signal] of starters) {
  const threads = options.workers ?? 1;
  Deno.test(`${signal} to ${name} ends the server, with ${threads} threads`, async () => {
    await using server = await startServer(options);
    Deno.kill(server.pid, signal);
    await server.ended;
    await assertEnds(server);
  });
}

/** Lines of a shell that ends, while the server that it has started goes on. */
const background = [
  'deno run -A --cached-only lib/server/boot/launch.ts "$@" &',
  'nohup deno run -A --cached-only lib/server/boot/launch.ts "$@" &',
  'setsid deno task start "$@" &',
  'nohup deno task start "$@" &',
  `setsid npx -y deno@${Deno.version.deno} task start "$@" &`,
];

for (const line of background) {
  Deno.test(`a server in the background outlives its shell: ${line}`, async () => {
    const command = ["-c", `${line} exit`, "sh"];
    await using server = await startServer({ program: "sh", command, outlivesProgram: true });
    try {
      await server.ended;
      await new Promise((resolve) => setTimeout(resolve, noticeMs));
      assert.ok(await isServing(server.url), server.output());
    } finally {
      endAll(server);
      await assertEnds(server);
    }
  });
}
