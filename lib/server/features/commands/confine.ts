/**
 * The last program before a command, started in namespaces of the command's own (see
 * `sandboxed_command.ts`): builds the file system that the command sees, drops every right that it
 * must not have, and executes the command.
 */
import { replaceProcess } from "../../core/sandbox/execute.ts";
import { enterDomain, landlockFeatures } from "../../core/sandbox/landlock.ts";
import { loadLibc } from "../../core/sandbox/libc.ts";
import {
  commandDomain,
  enterCommandRoot,
  filterSystemCalls,
} from "../../core/sandbox/command_sandbox.ts";
import { findProgram } from "./find_program.ts";
import type { CommandLimits } from "./limits.ts";
import { NamespaceCalls } from "../../core/sandbox/namespace_calls.ts";
import { exitStatus } from "./exit_status.ts";
import { confinementVariable } from "./protocol.ts";

/** The command host's instructions for one command. */
export interface Confinement {
  argv: [string, ...string[]];
  folder: string;
  scope: string | null;
  /** All of its environment. */
  env: Record<string, string>;
  limits: CommandLimits;
  /** The host runs as root, for whom the kernel counts no processes against a limit. */
  isRoot: boolean;
}

/** Waits for the command and exits with its status, which kills its background processes. */
const waitFor = ["/bin/sh", "-c", '"$@"; exit "$?"', "sh"];

/** Process ids wrap around to above this number, so these are not used a second time. */
const reservedIds = 300;

function confine({ argv, folder, scope, env, limits, isRoot }: Confinement): void {
  const libc = loadLibc();
  const features = libc && landlockFeatures(libc);
  if (!libc || !features) throw new Error("the system has no Landlock");
  const calls = new NamespaceCalls(libc);

  // When memory runs out, the OOM killer picks the command and not the server.
  Deno.writeTextFileSync("/proc/self/oom_score_adj", "1000");
  enterCommandRoot(calls, scope, limits.temporaryBytes);
  limitProcesses(limits.processes, isRoot);
  calls.yieldToOthers();
  Deno.chdir(folder);
  const [word, ...args] = argv;
  const program = findProgram(word, env.PATH ?? "");

  calls.dropCapabilities();
  enterDomain(libc, features, commandDomain(scope));
  filterSystemCalls();
  calls.joinOutputs();
  if (program === null) {
    console.log(`${word}: not found`);
    Deno.exit(exitStatus.notFound);
  }
  const limited = [
    ...[`--as=${limits.memoryBytes}`, `--nproc=${limits.processes}`],
    ...[`--fsize=${limits.fileBytes}`, "--core=0", "--nofile=1024", "--"],
  ];
  const path = findProgram("prlimit", "/usr/bin:/bin");
  if (path === null) throw new Error("prlimit is not installed");
  replaceProcess(libc, { path, args: [...limited, ...waitFor, program, ...args], env });
}

/**
 * Bounds the number of processes by the process ids of the namespace: that holds for root as well,
 * on Linux 6.14 and later. Nested namespaces, which would give capabilities and reach more of the
 * kernel, are disabled.
 */
function limitProcesses(processes: number, isRoot: boolean): void {
  const isBound = set("/proc/sys/kernel/pid_max", reservedIds + processes);
  // Elsewhere the limit of the account counts them, but never for root.
  if (!isBound && isRoot) throw new Error("this kernel cannot bound how many processes root has");
  set("/proc/sys/user/max_user_namespaces", 0);
}

function set(path: string, value: number): boolean {
  try {
    Deno.writeTextFileSync(path, String(value), { create: false });
    return true;
  } catch {
    return false;
  }
}

try {
  confine(JSON.parse(Deno.env.get(confinementVariable) ?? ""));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  Deno.exit(exitStatus.noSandbox);
}
