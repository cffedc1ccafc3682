import { assembleFilter, errorNumber, family, type Refusal } from "./call_filter.ts";
import { installFilter } from "./install_filter.ts";

const setsOwner = { anySet: 0o6000 };
/** With neither of these (O_CREAT, __O_TMPFILE), `open` makes no file and has no mode. */
const makesFile = { anySet: 0o100 | 0o20000000 };

/** All families of sockets that programs have a use for; each other is more kernel to attack. */
const families = [family.unix, family.internet, family.internet6, family.netlink];

const refusals: Refusal[] = [
  // Calls that do more than can be looked at, or reach what no namespace parts. Programs that find
  // them missing do without.
  {
    calls: [
      ...["openat2", "io_uring_setup", "bpf", "perf_event_open", "userfaultfd"] as const,
      ...["add_key", "request_key", "keyctl"] as const,
    ],
    error: errorNumber.notThere,
  },
  // AF_VSOCK, for one, reaches the machine's host and its neighbours: no namespace parts it.
  {
    calls: ["socket", "socketpair"],
    error: errorNumber.familyNotSupported,
    when: [{ argument: 0, noneOf: families }],
  },
  // Programs that run as their owner or group, which others of the machine could then start.
  ...refuseMode(1, "chmod", "fchmod", "mknod", "creat"),
  ...refuseMode(2, "fchmodat", "fchmodat2", "mknodat"),
  {
    calls: ["open"],
    error: errorNumber.notPermitted,
    when: [{ argument: 1, ...makesFile }, { argument: 2, ...setsOwner }],
  },
  {
    calls: ["openat"],
    error: errorNumber.notPermitted,
    when: [{ argument: 2, ...makesFile }, { argument: 3, ...setsOwner }],
  },
];

function refuseMode(argument: number, ...calls: Refusal["calls"]): Refusal[] {
  return [{ calls, error: errorNumber.notPermitted, when: [{ argument, ...setsOwner }] }];
}

/**
 * Keeps this thread, and what it executes, from making programs that run as their owner, which
 * whoever else has an account on the machine could then start; from sockets that no namespace parts;
 * and from calls that would get around that, or around the sandbox.
 *
 * @throws Error when the kernel refuses, or the architecture is not known
 */
export function filterSystemCalls(): void {
  try {
    installFilter("libc.so.6", assembleFilter(refusals), 0n);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot filter system calls: ${reason}`);
  }
}
