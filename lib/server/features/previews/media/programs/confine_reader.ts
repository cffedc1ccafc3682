/**
 * The last program before one that reads an uploaded file: ffmpeg, poppler. Drops every right that
 * it must not have, and becomes it. The file is the standard input. Unlike a command it needs no
 * namespaces: it gets no folder, no socket and no second process at all, which Landlock and seccomp
 * hold in containers, too.
 */
import { findProgram } from "../../../commands/find_program.ts";
import { replaceProcess } from "../../../../core/sandbox/execute.ts";
import { enterDomain, landlockFeatures } from "../../../../core/sandbox/landlock.ts";
import { loadLibc } from "../../../../core/sandbox/libc.ts";
import { NamespaceCalls } from "../../../../core/sandbox/namespace_calls.ts";
import { readerDomain } from "../../../../core/sandbox/reader_domain.ts";
import { filterReaderCalls } from "../../../../core/sandbox/server_filter.ts";
import { exitStatus } from "../../../commands/exit_status.ts";
import type { ReaderConfinement } from "./protocol.ts";

/** Opens files of other accounts, as the server does where it runs as root (CAP_DAC_OVERRIDE). */
const overridesAccess = 1;

function confine({ program, args, limits }: ReaderConfinement): void {
  const libc = loadLibc();
  const features = libc && landlockFeatures(libc);
  if (!libc || !features) throw new Error("the system has no Landlock");
  const prlimit = findProgram("prlimit", "/usr/bin:/bin");
  if (prlimit === null) throw new Error("prlimit is not installed");
  const calls = new NamespaceCalls(libc);

  // When memory runs out, the OOM killer picks this process and not the server.
  Deno.writeTextFileSync("/proc/self/oom_score_adj", "1000");
  calls.yieldToOthers();
  Deno.chdir("/");
  calls.dropCapabilities(Deno.uid() === 0 ? overridesAccess : undefined);
  enterDomain(libc, features, readerDomain([program, Deno.realPathSync(prlimit)]));
  filterReaderCalls(Deno.pid);
  calls.keepStandardFiles();
  const limited = [
    ...[`--as=${limits.memoryBytes}`, `--cpu=${limits.processorSeconds}`],
    ...["--fsize=0", "--core=0", "--nofile=64", "--"],
  ];
  const env = { PATH: "/usr/bin:/bin", HOME: "/", LANG: "C.UTF-8" };
  replaceProcess(libc, { path: prlimit, args: [...limited, program, ...args], env });
}

try {
  confine(JSON.parse(Deno.args[0] ?? ""));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  Deno.exit(exitStatus.noSandbox);
}
