import assert from "node:assert/strict";
import { assembleFilter } from "../../../lib/server/core/sandbox/call_filter.ts";
import { type CallName, callNumbers } from "../../../lib/server/core/sandbox/call_numbers.ts";
import { serverRefusals } from "../../../lib/server/core/sandbox/server_filter.ts";
import type { Config } from "../../../lib/server/core/config/config.ts";
import { resolveConfig } from "../../../lib/server/core/config/resolve_config.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { answerOf } from "../../support/probes/filter_machine.ts";

const machines = [
  { name: "x86_64", id: 0xc000003e, column: 0 },
  { name: "aarch64", id: 0xc00000b7, column: 1 },
] as const;
const [notPermitted, notThere, familyNotSupported] = [1, 38, 97];
const pid = 4711;
const thread = 0x003d0f00;

await using folder = await temporaryFolder();
const { config } = resolveConfig({ args: [], env: new Map(), cwd: folder.path });
const withHost = { commandHost: { socket: "/tmp/x", refusal: null } };

/** Says what the server's filter answers to calls, by their names. */
function filterOf(machine: typeof machines[number], change: Partial<Config> = {}) {
  const program = assembleFilter(serverRefusals({ ...config, ...change }, pid), machine.name);
  const numberOf = (call: CallName): number | undefined => callNumbers[call][machine.column];
  const ask = (number: number, args: number[]) =>
    answerOf(program, { number, args, architecture: machine.id });
  return {
    program,
    numberOf,
    of(call: CallName, ...args: number[]) {
      const number = numberOf(call);
      return number === undefined ? undefined : ask(number, args);
    },
    ask,
  };
}

/** Those that are allowed, or allowed with some arguments. */
const usable: CallName[] = [
  ...["clone", "kill", "tgkill", "socket", "socketpair", "sendto", "sendmsg", "sendmmsg"] as const,
  ...["open", "openat", "openat2", "creat", "fchmod"] as const,
  ...["seccomp", "landlock_create_ruleset", "bind", "listen", "connect"] as const,
];
const missing: CallName[] = ["clone3", "io_uring_setup", "io_uring_enter", "io_uring_register"];

for (const machine of machines) {
  Deno.test(`the server's filter refuses what it names on ${machine.name}, and no other number`, () => {
    const { of, ask, numberOf } = filterOf(machine);
    const named = Object.keys(callNumbers) as CallName[];
    const refused = named.filter((call) => !usable.includes(call));
    for (const call of refused) {
      if (numberOf(call) === undefined) continue;
      assert.equal(of(call), missing.includes(call) ? notThere : notPermitted, call);
    }
    const numbers = new Set(named.map(numberOf));
    for (let number = 0; number < 600; number++) {
      if (!numbers.has(number)) assert.equal(ask(number, []), "allow", String(number));
    }
    for (const call of usable.slice(8)) {
      if (numberOf(call) !== undefined) assert.equal(of(call, -1, -1, -1, -1), "allow", call);
    }
  });

  Deno.test(`the server's filter lets threads be made on ${machine.name}, not processes`, () => {
    const { of } = filterOf(machine);
    assert.equal(of("clone", thread), "allow");
    assert.equal(of("clone", 17), notPermitted, "as fork does it: SIGCHLD");
    assert.equal(of("clone", 0x4111), notPermitted, "as posix_spawn does it: CLONE_VM|CLONE_VFORK");
    for (const kind of [0x02, 0x04, 0x08, 0x10, 0x20, 0x40].map((bits) => bits << 24)) {
      assert.equal(of("clone", thread | kind), notPermitted, kind.toString(16));
    }
    assert.equal(of("clone", thread | 0x20000), notPermitted, "CLONE_NEWNS");
  });

  Deno.test(`the server's filter lets signals go to its own process alone on ${machine.name}`, () => {
    const { of } = filterOf(machine);
    for (const call of ["kill", "tgkill"] as const) {
      assert.equal(of(call, pid, pid, 6), "allow");
      for (const other of [0, 1, -1, -pid]) assert.equal(of(call, other, pid, 6), notPermitted);
    }
  });

  Deno.test(`the server's filter lets it have TCP sockets on ${machine.name}, UDP only for names`, () => {
    const [stream, datagram, raw] = [0x80801, 0x80002, 3];
    const strict = filterOf(machine);
    const lookingUp = filterOf(machine, { address: "files.example" });
    for (const { of } of [strict, lookingUp]) {
      for (const family of [2, 10]) {
        for (const tcp of [0, 6]) assert.equal(of("socket", family, stream, tcp), "allow");
        assert.equal(of("socket", family, stream, 132), familyNotSupported, "SCTP");
        assert.equal(of("socket", family, stream, 262), familyNotSupported, "MPTCP");
        for (const type of [raw, 4, 5, 6, 10]) {
          assert.equal(of("socket", family, type, 0), familyNotSupported, `type ${type}`);
        }
      }
      assert.equal(of("socket", 16, raw, 0), "allow", "NETLINK");
      for (const other of [1, 17, 40, 38, -1]) {
        assert.equal(of("socket", other, stream, 0), familyNotSupported, `family ${other}`);
      }
      assert.equal(of("socketpair", 1, stream, 0), "allow");
      assert.equal(of("socketpair", 30, stream, 0), familyNotSupported);
    }
    for (const udp of [0, 17]) {
      assert.equal(strict.of("socket", 2, datagram, udp), familyNotSupported);
      assert.equal(lookingUp.of("socket", 2, datagram, udp), "allow");
    }
    assert.equal(lookingUp.of("socket", 2, datagram, 136), familyNotSupported, "UDP-Lite");
    assert.equal(filterOf(machine, withHost).of("socket", 1, stream, 0), "allow");
  });

  Deno.test(`the server's filter lets no send connect on ${machine.name}: Landlock does not hold that`, () => {
    const { of } = filterOf(machine);
    const [plain, fastOpen] = [0x4000, 0x20004000];
    assert.equal(of("sendto", 3, 0, 1, plain), "allow");
    assert.equal(of("sendto", 3, 0, 1, fastOpen), notPermitted);
    assert.equal(of("sendmmsg", 3, 0, 1, fastOpen), notPermitted);
    assert.equal(of("sendmsg", 3, 0, plain), "allow");
    assert.equal(of("sendmsg", 3, 0, fastOpen), notPermitted);
  });
}

Deno.test("a filter ends a process that calls as another architecture, and refuses x32", () => {
  const [x86_64] = machines;
  const { program } = filterOf(x86_64);
  assert.equal(
    answerOf(program, { number: 11, architecture: 0x40000003 }),
    "kill",
    "execve of i386",
  );
  for (const number of [0x40000000 + 520, 0x40000000, -1]) {
    assert.equal(answerOf(program, { number }), notPermitted);
  }
});

Deno.test("assembleFilter() knows the numbers of two architectures, and refuses to guess others'", () => {
  assert.throws(() => assembleFilter([], "riscv64"), { message: /calls of riscv64 are not known/ });
});
