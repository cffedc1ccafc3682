import assert from "node:assert/strict";
import { runCommand } from "../../../../lib/server/features/commands/sandboxed_command.ts";
import type { HostedProgram } from "../../../../lib/server/features/commands/hosted_program.ts";
import { commandLimits } from "../../../../lib/server/features/commands/limits.ts";
import type {
  CommandRequest,
  HostSpec,
} from "../../../../lib/server/features/commands/protocol.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";

const folder = await temporaryFolder();
Deno.test.afterAll(async () => await folder[Symbol.asyncDispose]());

function run(script: string, limits: Partial<HostSpec["limits"]> = {}): HostedProgram {
  const spec: HostSpec = {
    socket: "",
    root: folder.path,
    kept: [],
    sandbox: "none",
    limits: { ...commandLimits, ...limits },
    server: Deno.pid,
  };
  const argv: CommandRequest["argv"] = ["sh", "-c", script];
  const request = { argv, folder: folder.path, scope: folder.path, env: {}, queue: "" };
  return runCommand(request, spec, () => Promise.resolve());
}

Deno.test("a command that closes its output runs to its end", async () => {
  const { ended } = run("exec >&- 2>&-; sleep 0.3; exit 3");
  assert.deepEqual(await ended, { status: 3 });
});

Deno.test("a command that closes its output ends at the limit of time", async () => {
  const { ended } = run("exec >&- 2>&-; sleep 60", { timeMs: 300 });
  assert.deepEqual(await ended, { status: 137, stopped: "time" });
});
