/**
 * The command host: the one process that starts commands for users. The server itself is not
 * allowed to run anything; it asks here, over a socket that no other process can reach. The
 * launcher starts the host before it gives up its rights, since commands get namespaces of their
 * own, and a process in a Landlock domain cannot mount anything in them.
 */
import { CostPerOwner, FairQueue } from "../../core/concurrency/fair_queue.ts";
import { refuseRequest } from "./host_check.ts";
import { exitStatus } from "./exit_status.ts";
import { maxConcurrent } from "./limits.ts";
import { probeSandbox } from "./probe_sandbox.ts";
import type { CommandEnd, CommandRequest, HostSpec } from "./protocol.ts";
import { runCommand } from "./sandboxed_command.ts";
import { type HostCall, serveHost, untilEnd } from "./serve_host.ts";

const spec: HostSpec = JSON.parse(Deno.args[0] ?? "");
const queue = new FairQueue({ capacity: new CostPerOwner(maxConcurrent) });

async function run(call: HostCall<CommandRequest>): Promise<CommandEnd> {
  const refusal = refuseRequest(call.request, spec);
  if (refusal !== null) return { status: exitStatus.refused, refusal };
  return await queue.run(call.request.queue, 1, () => start(call));
}

async function start({ request, send, gone }: HostCall<CommandRequest>): Promise<CommandEnd> {
  if (gone.aborted) return { status: exitStatus.killed };
  return await untilEnd(runCommand(request, spec, send), gone);
}

await serveHost(spec, () => probeSandbox(spec), run);
