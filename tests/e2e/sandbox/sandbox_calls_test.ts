import assert from "node:assert/strict";
import type { CallName } from "../../../lib/server/core/sandbox/call_numbers.ts";
import { plant } from "../../support/disks/files.ts";
import { looksOf, quarters } from "../../support/data/pictures.ts";
import type { ProbeAnswer, ProbeStep } from "../../support/probes/probe.ts";
import { hasLandlock, type RunningProbe, startProbe } from "../../support/probes/probe_server.ts";
import { startServer } from "../../support/server/server.ts";
import type { RawCall } from "../../support/probes/system_calls.ts";

const [notPermitted, notThere, familyNotSupported] = [1, 38, 97];
const isLinux = Deno.build.os === "linux";

const names = [
  ...["execve", "execveat", "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_open"],
  ...["mount", "umount2", "pivot_root", "move_mount", "open_tree", "fsopen", "fsconfig"],
  ...["fsmount", "fspick", "mount_setattr", "chroot", "setns", "unshare", "bpf", "kcmp"],
  ...["keyctl", "add_key", "request_key", "perf_event_open", "userfaultfd", "quotactl"],
  ...["kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"],
  ...["name_to_handle_at", "open_by_handle_at", "pidfd_getfd", "process_madvise", "swapon"],
  ...[
    "swapoff",
    "syslog",
    "fchmodat",
    "fchownat",
    "setxattr",
    "mknodat",
    "clock_settime",
    "sethostname",
  ],
] as CallName[];

/** With arguments that the kernel itself refuses by another error. */
const refused: RawCall[] = [
  ...names.map((name): RawCall => [name]),
  // Flags that contradict each other: of a process, and of a thread in a namespace of its own.
  ["clone", 0x800 | 17],
  ["clone", 0x10000 | 0x10000000],
];

async function errorsOf(probe: RunningProbe, step: ProbeStep): Promise<number[]> {
  for (let count = 0; count < 200; count++) {
    const init = { method: "POST", body: JSON.stringify(step), headers: { connection: "close" } };
    const answer: ProbeAnswer = await (await fetch(probe.url, init)).json();
    assert(answer.ok, JSON.stringify(answer));
    if (answer.text !== "not this thread") return answer.text.split(",").map(Number);
  }
  throw new Error("The thread never answered");
}

async function does(probe: RunningProbe, step: ProbeStep): Promise<string> {
  const answer = await probe.ask(step);
  assert(answer.ok, JSON.stringify([step, answer]));
  return answer.text;
}

Deno.test("the kernel refuses programs, mounts and other processes in every thread", {
  ignore: !isLinux,
}, async () => {
  // With ffmpeg or poppler the server asks their host over a UNIX socket.
  const flags = ["--disable-thumbnails", "--disable-preview-resize"];
  await using probe = await startProbe({ workers: 2, flags });
  for (const thread of ["first", "further", "worker"] as const) {
    const errors = await errorsOf(probe, { do: "call", thread, calls: refused });
    const others = refused.filter((_, index) => errors[index] !== notPermitted);
    assert.deepEqual([thread, ...others], [thread]);
    const calls: RawCall[] = [["io_uring_setup"], ["clone3"], ["socket", 40, 1, 0]];
    assert.deepEqual(
      await errorsOf(probe, { do: "call", thread, calls: [...calls, ["socket", 1, 1, 0]] }),
      [notThere, notThere, familyNotSupported, familyNotSupported],
    );
  }
});

Deno.test("the filter holds the threads that were there before it, those of Deno and of V8", {
  ignore: !isLinux,
}, async () => {
  await using probe = await startProbe({ workers: 2 });
  const threads = [...Deno.readDirSync(`/proc/${probe.pid}/task`)].map(({ name }) => {
    const status = Deno.readTextFileSync(`/proc/${probe.pid}/task/${name}/status`);
    return /^Seccomp:\t\d$/m.exec(status)?.[0];
  });
  assert(threads.length > 3, threads.join());
  assert.deepEqual([...new Set(threads)], ["Seccomp:\t2"]);
});

Deno.test(
  "behind the filter, the server process fetches, looks names up, hashes, keeps and calls",
  {
    ignore: !isLinux,
  },
  async () => {
    const verifier = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response("fetched"),
    );
    const url = `http://localhost:${verifier.addr.port}`;
    const flags = ["--recaptcha-key=k", "--recaptcha-secret=s", `--recaptcha-host=${url}`];
    await using probe = await startProbe({ workers: 2, flags });
    assert.equal(await does(probe, { do: "fetch", url }), "fetched");
    assert.match(await does(probe, { do: "hash" }), /^\$2/);
    await does(probe, { do: "keep" });
    assert.match(await does(probe, { do: "recall" }), /^[\da-f-]{36}$/);
    const calls: RawCall[] = [["openat2"], ["kill", probe.pid, 0], ["socket", 2, 2, 0]];
    const [open, kill, socket] = await errorsOf(probe, { do: "call", thread: "worker", calls });
    assert.deepEqual([open, kill, socket], [7, 0, 0], "E2BIG is the kernel's own word");
    await verifier.shutdown();
  },
);

Deno.test("behind the filter, Workers are started that load the library for pictures, and pack", async () => {
  const photo = await quarters(300, 300).jpeg().toBuffer();
  await using server = await startServer({ prepare: (root) => plant(root, { "p.jpg": photo }) });
  const { username, password } = server;
  const body = JSON.stringify({ username, password, recaptcha: "" });
  const login = await fetch(`${server.url}/api/login`, { method: "POST", body });
  const headers = { "x-auth": await login.text() };
  const get = (path: string) => fetch(`${server.url}/api/${path}`, { headers });
  const preview = await get("preview/thumb/p.jpg");
  assert.equal(preview.status, 200);
  assert.equal((await looksOf(await preview.bytes())).corners, "red green blue white");
  const archive = await get("raw/?algo=tarxz");
  assert.equal(archive.status, 200);
  assert((await archive.bytes()).length > 1000);
});

/** The line at the start, and that the server serves. */
async function lineWithout(call: CallName, flags: string[] = []): Promise<string> {
  await using probe = await startProbe({ without: call, flags });
  assert.equal(await (await fetch(`${probe.url}/slow?1`)).text(), "\0".repeat(1000));
  return /^Sandbox: .*$/m.exec(probe.output())?.[0] ?? "";
}

Deno.test("where the kernel has no seccomp, the server starts and says so", {
  ignore: !isLinux || !hasLandlock,
}, async () => {
  assert.match(
    await lineWithout("seccomp"),
    /^Sandbox: Landlock ABI .*, Deno permissions, no seccomp \(error 38\), files: openat2; commands off$/,
  );
});

Deno.test("where the kernel has no Landlock, the server starts and says so, and runs no commands", {
  ignore: !isLinux,
}, async () => {
  assert.equal(
    await lineWithout("landlock_create_ruleset"),
    "Sandbox: no Landlock on this system, Deno permissions, seccomp, files: openat2; commands off",
  );
  assert.match(
    await lineWithout("landlock_create_ruleset", ["--disable-exec=false"]),
    /^Sandbox: no Landlock .*; commands refused without a sandbox: .*no Landlock/,
  );
});
