import assert from "node:assert/strict";
import { join } from "node:path";
import { commandLimits, maxLines } from "../../../lib/server/features/commands/limits.ts";
import { startApp } from "../../support/server/app.ts";
import { runCommand, typeCommand } from "../../support/clients/command.ts";
import { sleepers, uniqueSleep, untilSleepers } from "../../support/probes/processes.ts";

const app = await startApp({ config: { disableExec: false }, tree: { "run.sh": "" } });
Deno.test.afterAll(app.close);
const commands = ["sh", "bash", "perl", "yes", "dd"];
const { token } = await app.addUser("anna", { perm: { execute: true }, commands });
const { url } = app.listen();

/** A program and the text it runs, typed by a user. */
async function type(text: string, program = "sh") {
  await Deno.writeTextFile(join(app.root, "run.sh"), text);
  return typeCommand(`${program} run.sh`, { url, token });
}

Deno.test("a command that starts processes without end soon starts no more (fork bomb)", async () => {
  const seconds = uniqueSleep();
  const running = await type(`
    i=0; while [ $i -lt 1200 ]; do sleep ${seconds} & i=$((i+1)); done`);
  assert.match(await running.line(/fork/i), /Cannot fork/);
  assert(sleepers(seconds) <= 2 * commandLimits.processes + 300);
  await running.hangUp();
  await untilSleepers(seconds, 0);
});

Deno.test("a fork bomb ends, with all of its processes, when its user hangs up", async () => {
  const seconds = uniqueSleep();
  const running = await type(
    `echo begun; b() { sleep ${seconds} & b | b & }; b; wait; sleep ${seconds}`,
    "bash",
  );
  await running.line(/begun/);
  await running.line(/fork/i);
  await running.hangUp();
  await untilSleepers(seconds, 0);
  assert.equal((await runCommand("sh -c 'echo alive'", { url, token })).lines[0], "alive");
});

Deno.test("a command that takes memory without end is refused more", async () => {
  const { lines, reason } = await (await type(
    `my @all; push @all, "x" x (512 * 1024 * 1024) while 1;`,
    "perl",
  )).outcome;
  assert.notEqual(reason, "0");
  assert.match(lines.join("\n"), /memory/i);
});

Deno.test("a command cannot fill the memory through its temporary folders", async () => {
  const { lines } = await (await type(`
    for to in /tmp /dev/shm; do dd if=/dev/zero of=$to/x bs=1M count=200 2>/dev/null || echo full
      [ $(stat -c %s $to/x) -le ${commandLimits.temporaryBytes} ] && echo bounded; done`)).outcome;
  assert.deepEqual(lines, ["full", "bounded", "full", "bounded"]);
});

Deno.test("a command cannot write a file without end", async () => {
  const size = commandLimits.fileBytes / 1024 ** 2;
  const line = `dd if=/dev/zero of=large bs=1M seek=${size - 1} count=3`;
  const { reason } = await runCommand(line, { url, token });
  assert.notEqual(reason, "0");
  const { size: written } = await Deno.stat(join(app.root, "large"));
  assert(written <= commandLimits.fileBytes, String(written));
  await Deno.remove(join(app.root, "large"));
});

Deno.test("a command that prints without end is stopped", async () => {
  const { lines, code, reason } = await runCommand("yes", { url, token });
  assert.equal(lines.pop(), "Stopped: it printed too much");
  assert.deepEqual([code, reason], [1000, "137"]);
  assert.equal(lines.length, maxLines);

  const wide = await (await type("print 'x' x 4095, qq(\n) while 1", "perl")).outcome;
  assert.equal(wide.lines.pop(), "Stopped: it printed too much");
  assert.equal(wide.lines.length, commandLimits.outputBytes / 4096);
});

/** Whether others get their turn while a command prints without end. */
async function leavesTurns(): Promise<boolean> {
  let running = true;
  const printing = runCommand("yes", { url, token }).finally(() => running = false);
  let [answers, longest] = [0, 0];
  while (running) {
    const start = performance.now();
    assert.equal((await app.call("GET", "/api/resources/?limit=1", { token })).status, 200);
    longest = Math.max(longest, performance.now() - start);
    answers++;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await printing;
  return answers > 5 && longest < 1_000;
}

Deno.test("a command that prints without end leaves others their turn", async () => {
  let isLeft = false;
  // A busy machine may be what others wait for.
  for (let tries = 0; !isLeft && tries < 5; tries++) isLeft = await leavesTurns();
  assert(isLeft, "each time others wait");
});

Deno.test("a line without end comes in pieces", async () => {
  const text = "print 'x' x 1_000_000; print qq(\\nend\\n);";
  const { lines, reason } = await (await type(text, "perl")).outcome;
  assert.equal(lines.pop(), "end");
  assert.equal(lines.join("").length, 1_000_000);
  assert(lines.length > 200 && reason === "0");
});
