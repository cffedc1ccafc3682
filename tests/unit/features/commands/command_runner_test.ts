import assert from "node:assert/strict";
import type { Config } from "../../../../lib/server/core/config/config.ts";
import { CommandRunner } from "../../../../lib/server/features/commands/command_runner.ts";
import {
  type CommandLimits,
  commandLimits,
} from "../../../../lib/server/features/commands/limits.ts";
import { resolveConfig } from "../../../../lib/server/core/config/resolve_config.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";
import { sleepers, uniqueSleep, untilSleepers } from "../../../support/probes/processes.ts";

const folder = await temporaryFolder();
const outside = await temporaryFolder();
const { config } = resolveConfig({
  args: ["--root", folder.path, "--disable-exec=false"],
  env: new Map(),
  cwd: outside.path,
});
const runners = new Map<string, CommandRunner>();

async function runnerOf(change: Partial<Config>, limits: Partial<CommandLimits> = {}) {
  return await CommandRunner.open({ ...config, ...change }, { ...commandLimits, ...limits });
}

for (const sandbox of ["kernel", "none"] as const) {
  runners.set(sandbox, await runnerOf({ execSandbox: sandbox }));
}
// Longer than a command takes to begin on a busy machine.
const limits = { timeMs: 1_500, outputBytes: 10_000 };
const strict = await runnerOf({}, limits);
const strictAndBare = await runnerOf({ execSandbox: "none" }, limits);
const crowded = await runnerOf({});
Deno.test.afterAll(async () => {
  for (const runner of [...runners.values(), strict, strictAndBare, crowded]) await runner.close();
  await folder[Symbol.asyncDispose]();
  await outside[Symbol.asyncDispose]();
});

async function run(runner: CommandRunner, script: string, signal?: AbortSignal) {
  let output = "";
  const decoder = new TextDecoder();
  const onOutput = (bytes: Uint8Array) => {
    output += decoder.decode(bytes, { stream: true });
  };
  const argv: [string, ...string[]] = ["sh", "-c", script];
  const place = { folder: folder.path, scope: folder.path, env: { FILE: "a b" }, queue: "tests" };
  const end = await runner.run({ argv, ...place }, { onOutput, signal });
  return { end, output };
}

Deno.test("a runner refuses when commands are off, or have no sandbox", async () => {
  const off = await CommandRunner.open({ ...config, disableExec: true });
  assert.throws(() => off.check(), { code: "forbidden" });
  await assert.rejects(() => run(off, "true"), { code: "forbidden" });

  const commandHost = { socket: "/nowhere", refusal: "unshare is not installed" };
  const refusing = await CommandRunner.open({ ...config, commandHost });
  await assert.rejects(() => run(refusing, "true"), {
    code: "not_supported",
    message: /unshare is not installed/,
  });
});

Deno.test("a runner says so when its host is gone", async () => {
  const commandHost = { socket: "/nowhere", refusal: null };
  const orphaned = await CommandRunner.open({ ...config, commandHost });
  await assert.rejects(() => run(orphaned, "true"), { code: "internal", message: /host stopped/ });
});

for (const [sandbox, runner] of runners) {
  const told = sandbox === "kernel" ? "in a sandbox" : "without a sandbox";

  Deno.test(`a command ${told} prints, fails and ends as it does`, async () => {
    const { end, output } = await run(runner, "echo one; echo two >&2; printf three; exit 7");
    assert.deepEqual([end, output], [{ status: 7 }, "one\ntwo\nthree"]);
    assert.deepEqual((await run(runner, "kill -TERM $$")).end, { status: 143 });
    const { end: missing, output: message } = await run(runner, "exec nosuch");
    assert.equal(missing.status, 127);
    assert.match(message, /not found/);
  });

  Deno.test(`a command ${told} has a small environment of its own`, async () => {
    const { output } = await run(runner, "env");
    const names = output.trim().split("\n").map((line) => line.split("=")[0]).sort();
    assert.deepEqual(names, ["FILE", "HOME", "LANG", "PATH", "PWD", "TERM"]);
    assert.match(output, new RegExp(`^HOME=${folder.path}$`, "m"));
    assert.match(output, /^FILE=a b$/m);
  });

  Deno.test(`a command ${told} ends with all it has started when nobody waits for it`, async () => {
    const [seconds, controller] = [uniqueSleep(), new AbortController()];
    const script = `sleep ${seconds} & (sleep ${seconds} & sleep ${seconds})`;
    const running = run(runner, script, controller.signal);
    await untilSleepers(seconds, 3);
    controller.abort(new Error("nobody waits"));
    await assert.rejects(running, /nobody waits/);
    await untilSleepers(seconds, 0);
  });

  Deno.test(`a command ${told} leaves nothing running behind it`, async () => {
    const seconds = uniqueSleep();
    const { end } = await run(runner, `sleep ${seconds} & echo started`);
    assert.deepEqual(end, { status: 0 });
    await untilSleepers(seconds, 0);
  });
}

for (const [told, runner] of [["in", strict], ["without", strictAndBare]] as const) {
  Deno.test(`a command ${told} a sandbox is stopped when it runs or prints too long`, async () => {
    const seconds = uniqueSleep();
    const slow = await run(runner, `echo begun; trap '' TERM; sleep ${seconds}`);
    assert.deepEqual(slow, { end: { status: 137, stopped: "time" }, output: "begun\n" });
    const loud = await run(runner, "yes");
    assert.deepEqual(loud.end, { status: 137, stopped: "output" });
    assert.equal(loud.output, "y\n".repeat(5_000));
    assert.equal(sleepers(seconds), 0);
  });
}

Deno.test("four commands of one queue run at once, a fifth has its turn when one ends", async () => {
  const seconds = uniqueSleep();
  const starts = [1, 2, 3, 4, 5].map(() => new AbortController());
  const all = starts.map(({ signal }) =>
    run(crowded, `exec sleep ${seconds}`, signal).catch((error: Error) => error.message)
  );
  await untilSleepers(seconds, 4);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(sleepers(seconds), 4);
  starts[0]?.abort(new Error("enough"));
  assert.equal(await all[0], "enough");
  await untilSleepers(seconds, 4);
  for (const start of starts) start.abort(new Error("enough"));
  assert.deepEqual(await Promise.all(all), all.map(() => "enough"));
  await untilSleepers(seconds, 0);
});

Deno.test("a runner that closes ends what runs", async () => {
  const [seconds, closing] = [uniqueSleep(), await runnerOf({})];
  const running = run(closing, `sleep ${seconds}`);
  await untilSleepers(seconds, 1);
  await Promise.all([assert.rejects(running, { code: "internal" }), closing.close()]);
  await untilSleepers(seconds, 0);
});
