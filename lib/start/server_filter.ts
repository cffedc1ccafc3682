import type { Config } from "../config.ts";
import { assembleFilter, errorNumber, family, type Refusal } from "./call_filter.ts";
import { filterFlag, installFilter } from "./install_filter.ts";

/** Flags of `clone` (linux/sched.h): makes a thread, and the seven kinds of namespaces. */
const makesThread = 0x00010000;
const makesNamespace = 0x7e020000;

/**
 * What the server process never does, refused by the kernel, as it may call the C library. Each is
 * an error and not the end of the process: libraries that try a call (as detect-libc would run
 * `getconf`) go on without it, and whoever has taken the process over gains nothing by trying.
 */
function refusalsOf({ commandHost }: Pick<Config, "commandHost">, pid: number): Refusal[] {
  const own = { argument: 0, noneOf: [pid] };
  // Only the command host is reached over a socket of this family. Landlock does not hold them by
  // their paths: without this, a container engine's could be connected to.
  const local = commandHost ? [family.unix] : [];
  const families = [family.internet, family.internet6, family.netlink, ...local];
  const { notPermitted, notThere, familyNotSupported } = errorNumber;
  return [
    {
      error: notPermitted,
      calls: [
        // Programs and processes; clone is below.
        ...["execve", "execveat", "fork", "vfork", "uselib", "personality", "modify_ldt"] as const,
        ...["unshare", "setns"] as const,
        // Memory, descriptors and signals of other processes; kill and tgkill are below.
        ...["ptrace", "process_vm_readv", "process_vm_writev", "process_madvise"] as const,
        ...["process_mrelease", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "kcmp"] as const,
        ...["tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "migrate_pages"] as const,
        "move_pages",
        // Mounts.
        ...["mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr"] as const,
        ...["move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr"] as const,
        // Files behind Landlock's back: by handle, or changes that it does not hold.
        ...["name_to_handle_at", "open_by_handle_at", "fanotify_init", "fanotify_mark"] as const,
        ...["mknod", "mknodat", "chown", "lchown", "fchownat", "setxattr", "lsetxattr"] as const,
        ...["setxattrat", "removexattr", "lremovexattr", "removexattrat"] as const,
        ...["quotactl", "quotactl_fd"] as const,
        // Wide parts of the kernel, where most of its holes are found; keys of the account.
        ...["bpf", "perf_event_open", "userfaultfd", "add_key", "request_key", "keyctl"] as const,
        // The machine, should the account be root.
        ...["init_module", "finit_module", "delete_module", "kexec_load"] as const,
        ...["kexec_file_load", "reboot", "swapon", "swapoff", "acct", "syslog", "vhangup"] as const,
        ...["ioperm", "iopl", "settimeofday", "clock_settime", "clock_adjtime"] as const,
        ...["adjtimex", "sethostname", "setdomainname"] as const,
      ],
    },
    // Their callers fall back on others: on clone, whose flags can be looked at; on epoll.
    {
      error: notThere,
      calls: ["clone3", "io_uring_setup", "io_uring_enter", "io_uring_register"],
    },
    { calls: ["clone"], error: notPermitted, when: [{ argument: 0, noneSet: makesThread }] },
    { calls: ["clone"], error: notPermitted, when: [{ argument: 0, anySet: makesNamespace }] },
    { calls: ["kill", "tgkill"], error: notPermitted, when: [own] },
    {
      calls: ["socket"],
      error: familyNotSupported,
      when: [{ argument: 0, noneOf: families }],
    },
    {
      calls: ["socketpair"],
      error: familyNotSupported,
      when: [{ argument: 0, noneOf: [family.unix] }],
    },
  ];
}

/**
 * Has the kernel refuse, to every thread of this process that there is or will be, the system calls
 * that the server has no use for: programs, other processes, mounts, kernel modules and more. The
 * server goes on without when that is not possible, and says so.
 *
 * @returns what is in force, for the line at the start: `seccomp`, or why there is none
 */
export function filterServerCalls(config: Pick<Config, "libc" | "commandHost">): string {
  if (Deno.build.os !== "linux") return "no seccomp on this system";
  try {
    if (config.libc === undefined) throw new Error("the C library was not found");
    const flags = filterFlag.everyThread | filterFlag.keepSpeed;
    installFilter(config.libc, assembleFilter(refusalsOf(config, Deno.pid)), flags);
    return "seccomp";
  } catch (error) {
    return `no seccomp (${error instanceof Error ? error.message : String(error)})`;
  }
}
