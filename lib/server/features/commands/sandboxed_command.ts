import { fileURLToPath } from "node:url";
import type { Confinement } from "./confine.ts";
import type { CommandLimits } from "./limits.ts";
import { searchPath } from "../../core/sandbox/program_paths.ts";
import { confinedBy, HostedProgram, type Receive, type Start } from "./hosted_program.ts";
import { type CommandRequest, confinementVariable, type HostSpec } from "./protocol.ts";

const confine = fileURLToPath(new URL("./confine.ts", import.meta.url));

/**
 * Separate namespaces of every kind: users, mounts, processes, network (none), message queues and
 * the host name. When the first process of the namespace ends, or `unshare` is killed, the kernel
 * kills the others.
 */
const namespaces = [
  ...["--user", "--keep-caps", "--mount", "--pid", "--net", "--ipc", "--uts"],
  ...["--fork", "--kill-child"],
];

/** The user id that root's commands see: as root they would try what only root can. */
const nobody = 65_534;

const unsharePlaces = ["/usr/bin/unshare", "/bin/unshare"];

/** Runs a command with all that it starts, in a sandbox of its own unless there is to be none. */
export function runCommand(
  request: CommandRequest,
  { sandbox, limits }: HostSpec,
  receive: Receive,
): HostedProgram {
  const isBare = sandbox === "none";
  return new HostedProgram(isBare ? bareStart(request) : sandboxedStart(request, limits), {
    ...{ limits, receive, leavesOthers: isBare },
    // The standard error of the command itself comes with its output.
    hasFailed: (status, complaint) => status !== 0 && complaint !== "",
  });
}

function sandboxedStart(request: CommandRequest, limits: CommandLimits): Start | string {
  if (Deno.build.os !== "linux") return "only Linux supports the sandbox";
  const unshare = unsharePlaces.find(isThere);
  if (unshare === undefined) return "unshare (util-linux) is not installed";
  const isRoot = Deno.uid() === 0;
  const [user, group] = isRoot ? [nobody, nobody] : [Deno.uid(), Deno.gid()];
  const { argv, folder, scope } = request;
  const confinement: Confinement = { argv, folder, scope, env: envOf(request), limits, isRoot };
  const { args, env } = confinedBy(confine);
  return {
    path: unshare,
    args: [...namespaces, `--map-user=${user}`, `--map-group=${group}`, "--", ...args],
    env: {
      ...env,
      // Not an argument: those of all processes may be read by every account of the machine.
      [confinementVariable]: JSON.stringify(confinement),
    },
    cwd: "/",
  };
}

/** A command without a sandbox, where the administrator has chosen so. */
function bareStart(request: CommandRequest): Start {
  return {
    path: "/bin/sh",
    args: ["-c", 'exec "$@" 2>&1', "sh", ...request.argv],
    env: envOf(request),
    cwd: request.folder,
  };
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** The whole environment of a command. */
function envOf({ scope, env }: CommandRequest): Record<string, string> {
  return { PATH: searchPath, HOME: scope ?? "/tmp", LANG: "C.UTF-8", TERM: "dumb", ...env };
}
