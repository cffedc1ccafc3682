import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../../support/disks/files.ts";

const measure = new URL("../../support/run/measure.ts", import.meta.url).pathname;
const busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";

/** The exit status of a script, and how many seconds it kept processors busy. */
async function run(script: string): Promise<{ code: number; seconds: number }> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "seconds");
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", measure, file, "sh", "-c", script],
    stdout: "null",
  }).output();
  return { code, seconds: Number(await Deno.readTextFile(file)) };
}

Deno.test("processor time is that of a program and of what it starts, not that of waiting", async () => {
  const { seconds: idle } = await run("sleep 1");
  const { seconds: one } = await run(busy);
  const { seconds: child } = await run(`(${busy}) & wait`);
  assert.ok(idle < one / 2, `${idle} of ${one}`);
  assert.ok(child > one / 2, `${child} of ${one}`);
});

Deno.test("the exit status is the program's own", async () => {
  assert.equal((await run("exit 7")).code, 7);
});
