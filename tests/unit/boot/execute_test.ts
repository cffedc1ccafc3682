import assert from "node:assert/strict";
import { temporaryFolder } from "../../support/disks/files.ts";

const modules = new URL("../../../lib/server/core/sandbox/", import.meta.url).href;
const imports = `import { replaceProcess, runProgram } from "${modules}execute.ts";
import { loadLibc } from "${modules}libc.ts";
const start = (args, env = {}) => ({ path: Deno.execPath(), args: ["eval", ...args], env });
`;

/** Runs a script in a process of its own; what it prints last is the answer. */
async function run(script: string, signal?: Deno.Signal) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", imports + script],
    env: { SECRET: "of the launcher" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (signal && text.includes("ready")) child.kill(signal);
  }
  const errors = await new Response(child.stderr).text();
  return { pid: child.pid, code: (await child.status).code, text: text.trim(), errors };
}

const tell = "console.log(JSON.stringify([Deno.pid, Deno.args, Deno.env.toObject()]))";

Deno.test("replaceProcess() keeps the process id and hands on every argument and variable", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  // Deno makes its cache there.
  await using home = await temporaryFolder();
  const args = ["a b", "ünï→", "", "--x=1,2", "'\"$HOME"];
  const call = `replaceProcess(loadLibc(), start(${JSON.stringify([tell, ...args])}, ` +
    `{ ONE: "ä=\\n", HOME: ${JSON.stringify(home.path)} }));`;
  const { pid, code, text, errors } = await run(call);
  assert.equal(code, 0, errors);
  const [newPid, newArgs, env] = JSON.parse(text);
  assert.equal(newPid, pid);
  assert.deepEqual(newArgs, args);
  assert.deepEqual([env.ONE, env.HOME, env.SECRET], ["ä=\n", home.path, undefined]);
});

Deno.test("replaceProcess() says so when the program is not there", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const { code, errors } = await run(
    `replaceProcess(loadLibc(), { path: "/nowhere/deno", args: [], env: {} });`,
  );
  assert.equal(code, 1);
  assert.match(errors, /Cannot execute "\/nowhere\/deno": error 2/);
});

Deno.test("runProgram() ends as the program ends", async () => {
  const { code } = await run(`await runProgram(start(["Deno.exit(7)"]));`);
  assert.equal(code, 7);
});

Deno.test("runProgram() hands signals on", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const program = `Deno.addSignalListener("SIGTERM", () => Deno.exit(5));
    setTimeout(() => {}, 60_000);
    console.log("ready");`;
  const { code } = await run(`await runProgram(start([${JSON.stringify(program)}]));`, "SIGTERM");
  assert.equal(code, 5);
});
