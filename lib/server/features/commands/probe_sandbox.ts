import { dirname } from "node:path";
import type { CommandRequest, HostSpec } from "./protocol.ts";
import { runCommand } from "./sandboxed_command.ts";

/**
 * Runs `true` in a sandbox at the start, to see whether the system supports one.
 *
 * @returns the reason why commands will be refused, or null
 */
export async function probeSandbox(spec: HostSpec): Promise<string | null> {
  if (spec.sandbox === "none") return null;
  const folder = dirname(spec.socket);
  const request: CommandRequest = { argv: ["true"], folder, scope: folder, env: {}, queue: "" };
  let output = "";
  const command = runCommand(request, spec, (bytes) => {
    output += new TextDecoder().decode(bytes);
    return Promise.resolve();
  });
  const { status, failure } = await command.ended;
  if (status === 0) return null;
  return failure ?? `a trial ended with ${status} ${output.trim()}`.trim();
}
