/**
 * The last program before one that reads an uploaded file: ffmpeg, poppler. Drops every right that
 * it must not have, and becomes it. The file is the standard input. Unlike a command it needs no
 * namespaces: it gets no folder, no socket and no second process at all, which Landlock and seccomp
 * hold in containers, too.
 */
import { findProgram } from "../../../commands/find_program.ts";
import { replaceProcess } from "../../../../core/sandbox/execute.ts";
import { encoderPaths } from "../../../../core/sandbox/encoder_devices.ts";
import { enterDomain, landlockFeatures } from "../../../../core/sandbox/landlock.ts";
import { loadLibc } from "../../../../core/sandbox/libc.ts";
import { NamespaceCalls } from "../../../../core/sandbox/namespace_calls.ts";
import { inputPath, readerDomain } from "../../../../core/sandbox/reader_domain.ts";
import { filterReaderCalls } from "../../../../core/sandbox/server_filter.ts";
import { exitStatus } from "../../../commands/exit_status.ts";
import { otherFile } from "../streams/segments.ts";
import type { ReaderConfinement } from "./protocol.ts";

/** Opens files of other accounts, as the server does where it runs as root (CAP_DAC_OVERRIDE). */
const overridesAccess = 1;

/** Settings of LibreOffice: no macros, nothing from elsewhere, no links that are read anew. */
const officeSettings = [
  ["Common/Security/Scripting", "MacroSecurityLevel", "3"],
  ["Common/Security/Scripting", "DisableMacrosExecution", "true"],
  ["Common/Security/Scripting", "DisablePythonRuntime", "true"],
  ["Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"],
  ["Calc/Content/Update", "Link", "2"],
  ["Writer/Content/Update", "Link", "2"],
] as const;

/** Lays out the folder that a program may write to: its input, its profile and a place for results. */
function layOut({ folder, input }: { folder: string; input: string }): void {
  // It starts again once it has made its profile.
  if (Array.from(Deno.readDirSync(folder)).length > 0) return;
  Deno.copyFileSync("/proc/self/fd/0", `${folder}/${input}`);
  Deno.chmodSync(`${folder}/${input}`, 0o600);
  for (const name of ["made", "profile", "profile/user", "temporary"]) {
    Deno.mkdirSync(`${folder}/${name}`, { mode: 0o700 });
  }
  const items = officeSettings.map(([path, name, value]) =>
    `<item oor:path="/org.openoffice.Office.${path}"><prop oor:name="${name}" oor:op="fuse">` +
    `<value>${value}</value></prop></item>`
  );
  Deno.writeTextFileSync(
    `${folder}/profile/user/registrymodifications.xcu`,
    `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${
      items.join("")
    }</oor:items>`,
  );
}

/** Refuses a standard input that is not the file that was asked for: its number was used again. */
function checkInput(state: readonly (number | null)[]): void {
  const { dev, ino, size, mtime } = Deno.statSync(inputPath);
  // Not by the time of the change, which Deno tells to the second.
  const found = [dev, ino, size, mtime?.getTime() ?? 0];
  const isOne = dev === state[0] && ino === state[1];
  // It may be written at the moment, such as a recording.
  if (isOne && size > (state[2] ?? Infinity)) return;
  if (found.some((part, at) => part !== state[at])) throw new Error(otherFile);
}

function confine(
  { program, args, limits, scratch, state, encoder = "libx264" }: ReaderConfinement,
): void {
  if (state) checkInput(state);
  const libc = loadLibc();
  const features = libc && landlockFeatures(libc);
  if (!libc || !features) throw new Error("the system has no Landlock");
  const prlimit = findProgram("prlimit", "/usr/bin:/bin");
  if (prlimit === null) throw new Error("prlimit is not installed");
  const calls = new NamespaceCalls(libc);

  // When memory runs out, the OOM killer picks this process and not the server.
  Deno.writeTextFileSync("/proc/self/oom_score_adj", "1000");
  calls.yieldToOthers();
  if (scratch) layOut(scratch);
  Deno.chdir("/");
  calls.dropCapabilities(Deno.uid() === 0 ? overridesAccess : undefined);
  // The host kills it when it ends, unless the host is killed itself.
  calls.endWithParent();
  const domain = readerDomain([program, Deno.realPathSync(prlimit)], scratch?.folder);
  const paths = [...domain.paths, ...encoderPaths(encoder)];
  enterDomain(libc, features, { ...domain, paths });
  filterReaderCalls(Deno.pid, scratch !== undefined);
  calls.keepStandardFiles();
  // Drivers reserve addresses for all memory of a GPU, and take none of ours by that.
  const isHardware = encoder !== "libx264";
  const memory = `${isHardware ? "--data" : "--as"}=${limits.memoryBytes}`;
  const files = scratch || isHardware ? 512 : 64;
  const limited = [
    ...[memory, `--cpu=${limits.processorSeconds}`, `--fsize=${limits.fileBytes ?? 0}`],
    ...["--core=0", `--nofile=${files}`, "--"],
  ];
  const env = {
    ...{ PATH: "/usr/bin:/bin", HOME: scratch?.folder ?? "/", LANG: "C.UTF-8" },
    ...scratch && { TMPDIR: `${scratch.folder}/temporary`, SAL_USE_VCLPLUGIN: "svp" },
  };
  replaceProcess(libc, { path: prlimit, args: [...limited, program, ...args], env });
}

try {
  confine(JSON.parse(Deno.args[0] ?? ""));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  Deno.exit(exitStatus.noSandbox);
}
