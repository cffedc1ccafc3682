import assert from "node:assert/strict";
import { join } from "node:path";
import { refuseRequest } from "../../../../lib/server/features/commands/host_check.ts";
import { commandLimits } from "../../../../lib/server/features/commands/limits.ts";
import type {
  CommandRequest,
  HostSpec,
} from "../../../../lib/server/features/commands/protocol.ts";
import { plant, temporaryFolder } from "../../../support/disks/files.ts";

const folder = await temporaryFolder();
Deno.test.afterAll(async () => await folder[Symbol.asyncDispose]());
await plant(folder.path, {
  root: { anna: { site: {} }, bea: {}, data: { "x.kv": "" } },
  outside: {},
});
const [root, outside] = [join(folder.path, "root"), join(folder.path, "outside")];
await Deno.symlink(outside, join(root, "anna", "link"));

function refusal(scope: string, inside = scope, spec: Partial<HostSpec> = {}): string | null {
  const kept = [join(root, "data", "x.kv"), outside];
  const whole: HostSpec = {
    socket: "",
    root,
    kept,
    sandbox: "kernel",
    limits: commandLimits,
    server: Deno.pid,
    ...spec,
  };
  const request: CommandRequest = { argv: ["ls"], folder: inside, scope, env: {}, queue: "" };
  return refuseRequest(request, whole);
}

Deno.test("refuseRequest() lets a command into a folder of the root alone", () => {
  const anna = join(root, "anna");
  for (const scope of [outside, "/", "/etc", join(anna, "link"), `${anna}/../bea`, "", "anna"]) {
    assert.notEqual(refusal(scope), null, scope);
    assert.notEqual(refusal(anna, scope), null, scope);
  }
  for (const other of [join(root, "bea"), root, join(anna, "gone")]) {
    assert.notEqual(refusal(anna, other), null, other);
  }
  assert.equal(refusal(anna), null);
  assert.equal(refusal(anna, join(anna, "site")), null);
});

Deno.test("refuseRequest() lets no command near the server's own files", () => {
  assert.match(refusal(root) ?? "", /files of the server itself/);
  assert.match(refusal(join(root, "data")) ?? "", /files of the server itself/);
  assert.match(refusal(outside, outside, { root: outside }) ?? "", /files of the server itself/);
  assert.match(refusal("/", "/", { root: "/" }) ?? "", /whole file system/);
  assert.equal(refusal(root, root, { sandbox: "none" }), null);
});
