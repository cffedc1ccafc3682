import assert from "node:assert/strict";
import { join } from "node:path";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { hasLandlock } from "../../support/probes/probe_server.ts";

const script = new URL("../../support/probes/kernel_probe.ts", import.meta.url).pathname;

Deno.test("the kernel alone holds a process that has all of Deno's permissions", {
  ignore: !hasLandlock,
}, async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, {
    root: { "a.txt": "a", folder: {} },
    outside: { "secret.txt": "secret" },
    data: { "x.kv": "" },
  });
  const [root = "", outside = "", database = ""] = ["root", "outside", "data/x.kv"]
    .map((name) => join(folder.path, name));
  await Deno.copyFile("/bin/true", join(root, "true"));
  await Deno.chmod(join(root, "true"), 0o755);
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });

  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--cached-only", script, outside, String(listener.addr.port)],
      ...["--root", root, "--database", database, "--port", String(freePort())],
    ],
  }).output();
  const decoder = new TextDecoder();
  const outcomes = readOutcomes(decoder.decode(stdout) || decoder.decode(stderr));

  for (const [what, outcome] of Object.entries(outcomes.stillOpen)) {
    assert.equal(outcome, "done", what);
  }
  for (const [what, outcome] of Object.entries(outcomes.shut)) {
    assert.match(outcome, /^(PermissionDenied: |Error: .*(not permitted|cross-device))/, what);
  }
  assert.deepEqual([...Deno.readDirSync(outside)].map(({ name }) => name), ["secret.txt"]);
  assert.equal(await Deno.readTextFile(join(outside, "secret.txt")), "secret");
  assert.equal(await Deno.readTextFile(join(root, "folder", "a.txt")), "a");
});

interface Outcomes {
  stillOpen: Record<string, string>;
  shut: Record<string, string>;
}

function readOutcomes(output: string): Outcomes {
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`The probe did not get far:\n${output}`);
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
