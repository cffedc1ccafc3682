import { fileURLToPath } from "node:url";
import type { Confinement } from "./confine.ts";
import type { CommandLimits } from "./limits.ts";
import { searchPath } from "../sandbox/program_paths.ts";
import { type CommandRequest, confinementVariable } from "./protocol.ts";

/** A program and its arguments, as the command host starts it. */
export interface Start {
  path: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

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

/**
 * Starts a command in a sandbox of its own.
 *
 * @param unshare the path of util-linux's `unshare`
 */
export function sandboxedStart(
  request: CommandRequest,
  limits: CommandLimits,
  unshare: string,
): Start {
  const isRoot = Deno.uid() === 0;
  const [user, group] = isRoot ? [nobody, nobody] : [Deno.uid(), Deno.gid()];
  const { argv, folder, scope } = request;
  const confinement: Confinement = { argv, folder, scope, env: envOf(request), limits, isRoot };
  return {
    path: unshare,
    args: [
      ...[...namespaces, `--map-user=${user}`, `--map-group=${group}`, "--"],
      ...[Deno.execPath(), "run", "--quiet", "--cached-only", "--no-config", "--no-lock"],
      ...["--no-prompt", "--allow-all", confine],
    ],
    env: {
      DENO_DIR: Deno.env.get("DENO_DIR") ?? "/tmp",
      DENO_NO_UPDATE_CHECK: "1",
      // Not an argument: those of all processes may be read by every account of the machine.
      [confinementVariable]: JSON.stringify(confinement),
    },
    cwd: "/",
  };
}

/** Starts a command without a sandbox, where the administrator has chosen so. */
export function bareStart(request: CommandRequest): Start {
  return {
    path: "/bin/sh",
    args: ["-c", 'exec "$@" 2>&1', "sh", ...request.argv],
    env: envOf(request),
    cwd: request.folder,
  };
}

/** The whole environment of a command. */
function envOf({ scope, env }: CommandRequest): Record<string, string> {
  return { PATH: searchPath, HOME: scope ?? "/tmp", LANG: "C.UTF-8", TERM: "dumb", ...env };
}
