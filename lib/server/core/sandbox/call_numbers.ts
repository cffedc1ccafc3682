/**
 * The numbers of Linux system calls on the supported architectures: x86_64
 * (arch/x86/entry/syscalls/syscall_64.tbl), then aarch64 (include/uapi/asm-generic/unistd.h), which
 * lacks some of the older ones. From 424 on, all architectures have the same numbers.
 */
export const callNumbers = {
  // Programs and processes.
  execve: [59, 221],
  execveat: [322, 281],
  fork: [57],
  vfork: [58],
  clone: [56, 220],
  clone3: [435, 435],
  unshare: [272, 97],
  setns: [308, 268],
  uselib: [134],
  personality: [135, 92],
  modify_ldt: [154],

  // Other processes.
  kill: [62, 129],
  tkill: [200, 130],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  pidfd_send_signal: [424, 424],
  kcmp: [312, 272],
  migrate_pages: [256, 238],
  move_pages: [279, 239],

  // Mounts.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],

  // Files.
  open: [2],
  openat: [257, 56],
  openat2: [437, 437],
  creat: [85],
  mknod: [133],
  mknodat: [259, 33],
  chmod: [90],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92],
  lchown: [94],
  fchownat: [260, 54],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  setxattrat: [463, 463],
  removexattrat: [466, 466],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],

  // Sockets.
  bind: [49, 200],
  connect: [42, 203],
  listen: [50, 201],
  socket: [41, 198],
  socketpair: [53, 199],
  sendto: [44, 206],
  sendmsg: [46, 211],
  sendmmsg: [307, 269],

  // Memory, messages and semaphores that processes of one account share.
  shmget: [29, 194],
  shmat: [30, 196],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],

  // Parts of the kernel with a large attack surface.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],

  // Confinement itself.
  seccomp: [317, 277],
  landlock_create_ruleset: [444, 444],

  // The machine.
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  syslog: [103, 116],
  vhangup: [153, 58],
  ioperm: [173],
  iopl: [172],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
} as const satisfies Record<string, readonly [x86_64: number, aarch64?: number]>;

/** The name of a system call in the table. */
export type CallName = keyof typeof callNumbers;
