/** Processor time of this process and of all that it starts. */

/** Counts from when it is opened. */
export interface ProcessorAccount {
  /** Ends it, and answers with the seconds, of user and system. */
  close(): number;
}

/**
 * By a control group where one may be made: it counts everything. By the usage of children
 * otherwise, in which processes are missing that nobody has waited for, as a browser's pages.
 */
export function openAccount(): ProcessorAccount {
  return groupAccount() ?? childrenAccount();
}

function groupAccount(): ProcessorAccount | undefined {
  for (const { folder, file, perSecond } of hierarchies()) {
    const own = `${folder}/cubby-tests-${Deno.pid}`;
    try {
      Deno.mkdirSync(own);
    } catch {
      continue;
    }
    const move = (to: string) => Deno.writeTextFileSync(`${to}/cgroup.procs`, String(Deno.pid));
    try {
      move(own);
    } catch {
      Deno.removeSync(own);
      continue;
    }
    return {
      close() {
        const [used = ""] = /\d+/.exec(Deno.readTextFileSync(`${own}/${file}`)) ?? [];
        move(folder);
        try {
          Deno.removeSync(own);
        } catch {
          // Something that was started has not ended.
        }
        return Number(used) / perSecond;
      },
    };
  }
}

/** Where this process is in the control groups that count processor time: of version 1, then 2. */
function hierarchies() {
  let lines: string;
  try {
    lines = Deno.readTextFileSync("/proc/self/cgroup");
  } catch {
    return [];
  }
  const top = "/sys/fs/cgroup";
  const at = (pattern: RegExp) => (pattern.exec(lines)?.[1] ?? "/").replace(/\/$/, "");
  const first = at(/^\d+:(?:\w+,)*cpuacct(?:,\w+)*:(.*)$/m);
  const second = at(/^0::(.*)$/m);
  return [
    { folder: `${top}/cpuacct${first}`, file: "cpuacct.usage", perSecond: 1e9 },
    { folder: `${top}/unified${second}`, file: "cpu.stat", perSecond: 1e6 },
    { folder: `${top}${second}`, file: "cpu.stat", perSecond: 1e6 },
  ];
}

function childrenAccount(): ProcessorAccount {
  const library = Deno.build.os === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
  const { symbols, close } = Deno.dlopen(library, {
    getrusage: { parameters: ["i32", "buffer"], result: "i32" },
  });
  return {
    close() {
      const usage = new DataView(new ArrayBuffer(256));
      symbols.getrusage(-1, usage.buffer);
      close();
      // Two times of seconds and microseconds: of the user and of the system.
      const time = (at: number) =>
        Number(usage.getBigInt64(at, true)) + usage.getInt32(at + 8, true) / 1e6;
      return time(0) + time(16);
    },
  };
}
