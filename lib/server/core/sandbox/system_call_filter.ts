import { assembleFilter, errorNumber, family, type Refusal } from "./call_filter.ts";
import { installFilter } from "./install_filter.ts";

const setsOwner = { anySet: 0o6000 };
/** Without these (O_CREAT, __O_TMPFILE), `open` creates no file and ignores the mode. */
const makesFile = { anySet: 0o100 | 0o20000000 };

/** The socket families that programs need; any other adds attack surface. */
const families = [family.unix, family.internet, family.internet6, family.netlink];

const refusals: Refusal[] = [
  // Calls whose arguments cannot be checked, or that reach beyond namespaces. Programs have
  // fallbacks for them.
  {
    calls: [
      ...["openat2", "io_uring_setup", "bpf", "perf_event_open", "userfaultfd"] as const,
      ...["add_key", "request_key", "keyctl"] as const,
    ],
    error: errorNumber.notThere,
  },
  // AF_VSOCK, for example, reaches the machine's host and other guests: no namespace isolates it.
  {
    calls: ["socket", "socketpair"],
    error: errorNumber.familyNotSupported,
    when: [{ argument: 0, noneOf: families }],
  },
  // Set-user-ID and set-group-ID programs, which other accounts of the machine could then start.
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
 * Prevents this thread, and programs that it executes, from creating set-user-ID programs, which
 * other accounts of the machine could start; from sockets that no namespace isolates; and from
 * calls that would bypass that, or the sandbox.
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
