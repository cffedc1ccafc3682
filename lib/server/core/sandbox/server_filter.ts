import { isIP } from "node:net";
import type { Config } from "../config/config.ts";
import {
  assembleFilter,
  errorNumber,
  family,
  filterFlag,
  installFilter,
  type Refusal,
} from "./call_filter.ts";
import { askedServers, isRemote } from "../config/places.ts";

/** Flags of `clone` (linux/sched.h): makes a thread, and the seven kinds of namespaces. */
const makesThread = 0x00010000;
const makesNamespace = 0x7e020000;
/** Makes a send connect the socket first (linux/socket.h). */
const fastOpen = 0x20000000;
const protocol = { tcp: 6, udp: 17 } as const;

const { notPermitted, notThere, familyNotSupported } = errorNumber;

/** Refused whatever the arguments, besides programs. */
const never: Refusal[] = [
  {
    error: notPermitted,
    calls: [
      // Processes; clone is below.
      ...["execveat", "fork", "vfork", "uselib", "personality", "modify_ldt"] as const,
      ...["unshare", "setns"] as const,
      // Memory, descriptors and signals of other processes; kill and tgkill are below.
      ...["ptrace", "process_vm_readv", "process_vm_writev", "process_madvise"] as const,
      ...["process_mrelease", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "kcmp"] as const,
      ...["tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "migrate_pages", "move_pages"] as const,
      // Shared by the processes of one account.
      ...["shmget", "shmat", "msgget", "semget", "mq_open"] as const,
      // Mounts.
      ...["mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr"] as const,
      ...["move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr"] as const,
      // Files outside of Landlock's control: by handle, or changes by path that it does not cover.
      // The calls on open files (fchmod, fchown) are allowed.
      ...["name_to_handle_at", "open_by_handle_at", "fanotify_init", "fanotify_mark"] as const,
      ...["chmod", "fchmodat", "fchmodat2"] as const,
      ...["mknod", "mknodat", "chown", "lchown", "fchownat", "setxattr", "lsetxattr"] as const,
      ...["setxattrat", "removexattr", "lremovexattr", "removexattrat"] as const,
      ...["quotactl", "quotactl_fd"] as const,
      // Parts of the kernel with many vulnerabilities; keys of the account.
      ...["bpf", "perf_event_open", "userfaultfd", "add_key", "request_key", "keyctl"] as const,
      // The machine, in case the account is root.
      ...["init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load"] as const,
      ...["reboot", "swapon", "swapoff", "acct", "syslog", "vhangup", "ioperm", "iopl"] as const,
      ...["settimeofday", "clock_settime", "clock_adjtime", "adjtimex"] as const,
      ...["sethostname", "setdomainname"] as const,
    ],
  },
  // Their callers fall back: to clone, whose flags can be checked; to epoll.
  { error: notThere, calls: ["clone3", "io_uring_setup", "io_uring_enter", "io_uring_register"] },
];

/** Allows new threads; refuses processes and namespaces. */
const clones: Refusal[] = [
  { calls: ["clone"], error: notPermitted, when: [{ argument: 0, noneSet: makesThread }] },
  { calls: ["clone"], error: notPermitted, when: [{ argument: 0, anySet: makesNamespace }] },
];

/**
 * Sockets: TCP and DNS lookups. Landlock covers TCP ports alone, and only in `connect` and `bind`.
 */
function sockets(config: Config): Refusal[] {
  // Landlock does not restrict UNIX sockets by path: a container engine's could be reached. The
  // hosts of commands and programs are reached over one each, and one may be listened on.
  const { commandHost, readerHost, socket: own } = config;
  const local = commandHost || readerHost || own ? [family.unix] : [];
  const isInternet = { argument: 0, noneOf: [family.unix, family.netlink] };
  const stream = { types: 0b0001, protocols: [0, protocol.tcp] };
  const datagram = { types: 0b0010, protocols: [protocol.udp] };
  const looksUp = looksUpNames(config);
  const otherTypes = 0b1111 & ~stream.types & ~(looksUp ? datagram.types : 0);
  const protocols = [...stream.protocols, ...(looksUp ? datagram.protocols : [])];
  const socket = { calls: ["socket" as const], error: familyNotSupported };
  return [
    {
      ...socket,
      when: [{
        argument: 0,
        noneOf: [family.internet, family.internet6, family.netlink, ...local],
      }],
    },
    { ...socket, when: [isInternet, { argument: 1, anySet: otherTypes }] },
    // The type of raw sockets has the bits of both others.
    { ...socket, when: [isInternet, { argument: 1, anySet: 1 }, { argument: 1, anySet: 2 }] },
    { ...socket, when: [isInternet, { argument: 2, noneOf: protocols }] },
    { ...socket, calls: ["socketpair"], when: [{ argument: 0, noneOf: [family.unix] }] },
    // Connects without `connect` (TCP Fast Open).
    {
      calls: ["sendto", "sendmmsg"],
      error: notPermitted,
      when: [{ argument: 3, anySet: fastOpen }],
    },
    { calls: ["sendmsg"], error: notPermitted, when: [{ argument: 2, anySet: fastOpen }] },
  ];
}

function looksUpNames(config: Config): boolean {
  const { address, database } = config;
  return askedServers(config).length > 0 || isRemote(database) || isIP(address) === 0;
}

/**
 * System calls that the server never needs, refused by the kernel, as the process may call the C
 * library. They fail with an error instead of killing the process: libraries that try one
 * (detect-libc would run `getconf`) go on without it, and a compromised process gains nothing.
 *
 * @param pid of this process, the only one that it may signal
 */
export function serverRefusals(config: Config, pid: number): Refusal[] {
  const programs: Refusal = { calls: ["execve"], error: notPermitted };
  return [programs, ...selfContained(pid), ...sockets(config)];
}

/**
 * Keeps a process to itself: no other processes, mounts, settings of the machine, or files outside
 * of Landlock's control.
 *
 * @param pid of the process, the only one that it may signal
 */
function selfContained(pid: number): Refusal[] {
  const kills: Refusal = {
    calls: ["kill", "tgkill"],
    error: notPermitted,
    when: [{ argument: 0, noneOf: [pid] }],
  };
  return [...never, ...clones, kills];
}

/**
 * Installs a filter, for all present and future threads of this process, against the system calls
 * that the server never needs: programs, other processes, mounts, kernel modules and more. If that
 * fails, the server continues without it, and reports that.
 *
 * @returns the state, for the line at the start: `seccomp`, or why there is none
 */
export function filterServerCalls(config: Config): string {
  if (Deno.build.os !== "linux") return "no seccomp on this system";
  try {
    if (config.libc === undefined) throw new Error("the C library was not found");
    const flags = filterFlag.everyThread | filterFlag.keepSpeed;
    installFilter(config.libc, assembleFilter(serverRefusals(config, Deno.pid)), flags);
    return "seccomp";
  } catch (error) {
    return `no seccomp (${error instanceof Error ? error.message : String(error)})`;
  }
}

const allSockets: Refusal = { calls: ["socket", "socketpair"], error: errorNumber.notPermitted };

/**
 * LibreOffice does not start without a local socket by which a second one would find it. It gets
 * one that has no address, as `bind` and `listen` are skipped, and that connects to nothing.
 */
const idleSockets: Refusal[] = [
  { calls: ["bind", "listen"], error: errorNumber.none },
  { calls: ["connect"], error: errorNumber.notPermitted },
  {
    calls: ["socket", "socketpair"],
    error: errorNumber.familyNotSupported,
    when: [{ argument: 0, noneOf: [family.unix] }],
  },
  {
    calls: ["socket", "socketpair"],
    error: errorNumber.familyNotSupported,
    // The type of streams has the lowest bit alone.
    when: [{ argument: 1, anySet: 0b1110 }],
  },
];

/**
 * Keeps this process, and the program that it becomes, from making sockets of any kind, processes,
 * and whatever else reaches beyond it. It stays able to execute what its Landlock domain allows.
 *
 * @param pid of this process, the only one that it may signal
 * @param hasSockets it may make local sockets, of no use
 * @throws Error when the kernel refuses, or the architecture is not known
 */
export function filterReaderCalls(pid: number, hasSockets = false): void {
  const sockets = hasSockets ? idleSockets : [allSockets];
  installFilter("libc.so.6", assembleFilter([...selfContained(pid), ...sockets]), 0n);
}
