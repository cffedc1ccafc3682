#!/usr/bin/env node
/**
 * The command of the npm package, run by Node: `cubby-files [flags]` starts the server,
 * `cubby-files health` asks whether one serves, `cubby-files compile` prepares quick starts, and any
 * other word is a command of the command line.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const top = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const [word = "", ...others] = process.argv.slice(2);
const isFlag = word === "" || word.startsWith("-");
const [module, args] = isFlag
  ? ["boot/launcher", process.argv.slice(2)]
  : word === "health"
  ? ["boot/ask_health", others]
  : word === "compile"
  ? ["boot/compile", others]
  : ["cli/cubby", [word, ...others]];
const command = [
  ...["run", "-A", "--quiet", "--cached-only"],
  ...["--no-config", "--no-lock", "--node-modules-dir=manual", "--unstable-kv"],
  join(top, "_fresh", "bundle", "lib", "server", `${module}.js`),
  ...args,
];
const env = {
  ...process.env,
  DENO_DIR: join(top, "_fresh", "deno"),
  DENO_NO_UPDATE_CHECK: "1",
  INIT_CWD: process.cwd(),
};

const deno = findDeno();
if (deno === null) {
  console.error(
    `Cannot start: there is no Deno for ${process.platform}-${process.arch} beside this package; ` +
      "on Linux it needs glibc, and packages installed with their optional ones",
  );
  process.exitCode = 2;
} else if (process.execve) {
  // Node becomes Deno: the process id stays, and no memory is kept for a process that waits.
  process.execve(deno, [deno, ...command], env);
} else {
  startChild(deno);
}

/** The program itself: its package's own command would be one more process. */
function findDeno() {
  const kind = `${process.platform}-${process.arch}${process.platform === "linux" ? "-glibc" : ""}`;
  const name = process.platform === "win32" ? "deno.exe" : "deno";
  try {
    const own = createRequire(createRequire(import.meta.url).resolve("deno/package.json"));
    const path = join(dirname(own.resolve(`@deno/${kind}/package.json`)), name);
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/** For a Node that cannot replace its process: waits, and hands signals on. */
function startChild(path) {
  const child = spawn(path, command, { env, stdio: "inherit" });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`Cannot start "${path}": ${error.message}`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
