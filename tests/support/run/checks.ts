/** The checks that `deno task test` runs, in order, and how the arguments choose among them. */

/** One run of the `deno` binary that counts as one check, or as the tests it reports. */
export interface Check {
  /** What the arguments call it. */
  name: string;
  /** Arguments of `deno`. */
  args: string[];
  /** `tests`: the answer is `deno test`'s summary; `one`: the exit status alone. */
  counts: "tests" | "one";
  /** Whether it drives a browser. */
  browser?: boolean;
  /** Whether it unpacks archives. */
  archivers?: boolean;
  /** Whether it makes previews of videos and PDF. */
  media?: boolean;
  /** Whether it starts a KV Connect server, which no package of Debian brings. */
  denokv?: boolean;
  /** The folder among the arguments whose tests may share modules. */
  together?: string;
  /** Whether its files lie on a real disk even where the others' lie in memory. */
  onDisk?: boolean;
  /** What is added to the environment. */
  env?: Record<string, string>;
}

const testing = ["test", "-A", "--no-check", "--sanitize-ops", "--sanitize-resources"];

/** How many files run at once: while one waits for its server or browser, others have the processor. */
const DENO_JOBS = String(navigator.hardwareConcurrency + 1);

function group(name: string): Check {
  const args = [...testing, "--parallel", `tests/${name}/`];
  return { name, args, counts: "tests", env: { DENO_JOBS } };
}

const security: Check = { ...group("security"), onDisk: true };

const races: Check = {
  name: "security races",
  args: [...testing, "tests/security/races/"],
  counts: "tests",
  onDisk: true,
};

/**
 * Attacks that are about one request and the disk, or one command and the kernel: they meet the
 * same code whatever the number of threads, and are made with one. Those on what threads share or
 * keep each for itself (sessions, rights that end, locks, uploads, shares, indexes, counted places)
 * are not among them.
 */
const threadless = Object.entries({
  commands: ["command_injection", "command_limits", "command_sandbox"],
  files: [
    "archive",
    "downloads",
    "extract",
    "inline_files",
    "markup",
    "media",
    "preview",
    "preview_sandbox",
    "search",
    "subtitle",
    "version",
  ],
  http: ["host", "malformed_requests", "service_worker"],
  paths: [
    "links",
    "names",
    "patch_links",
    "patch_rules",
    "patch_traversal",
    "permissions",
    "rules",
    "special_files",
    "traversal",
  ],
  shares: ["share_flood"],
}).flatMap(([folder, names]) => names.map((name) => `tests/security/${folder}/${name}_test.ts`));

/**
 * The attacks, against real servers that have one thread, then two. Those that only an application
 * in the tests' own process allows, with its clock and clients from elsewhere, are made once.
 */
const attacks: Check[] = [
  {
    ...withThreads(1, security, "--ignore=tests/security/races"),
    archivers: true,
    media: true,
  },
  withThreads(
    2,
    security,
    `--ignore=tests/security/in_process,tests/security/races,${threadless.join()}`,
  ),
  // Not beside other tests: their swapper keeps a whole processor busy.
  withThreads(1, races),
  withThreads(2, races, "--ignore=tests/security/races/path_based_test.ts"),
];

function withThreads(count: 1 | 2, check: Check, ...more: string[]): Check {
  const name = count === 1 ? check.name : `${check.name} with two threads`;
  return {
    ...check,
    name,
    args: [...check.args, ...more],
    env: { ...check.env, WORKERS: String(count) },
  };
}

function withBrowser(check: Check, ...more: string[]): Check {
  return { ...check, args: [...check.args, ...more], browser: true };
}

/**
 * Everything there is to check. Types are checked once for all files, so the tests need not do it
 * again; the build is made before the first test that may start a server.
 */
export const checks: readonly Check[] = [
  { name: "format", args: ["fmt", "--check"], counts: "one" },
  { name: "lint", args: ["lint"], counts: "one" },
  { name: "types", args: ["check"], counts: "one" },
  { name: "build", args: ["run", "-A", "tests/support/run/build.ts"], counts: "one" },
  { ...group("unit"), media: true, onDisk: true, together: "tests/unit/" },
  withBrowser(group("fresh")),
  { ...group("routes"), archivers: true, media: true },
  group("compat"),
  ...attacks,
  // Not beside other tests: the time that an operation takes tells when to kill its server.
  { name: "faults", args: [...testing, "tests/faults/"], counts: "tests", onDisk: true },
  // Two servers on one store.
  { ...group("nodes"), denokv: true, onDisk: true },
  withBrowser(group("e2e"), "--ignore=tests/e2e/alone"),
  // Those that count the processes of the machine, or look at how long it takes.
  { name: "e2e alone", args: [...testing, "tests/e2e/alone/"], counts: "tests", browser: true },
];

/** How the chosen tests are run. */
export interface RunOptions {
  /** Only tests whose names contain this, or match it as "/a pattern/". */
  filter?: string;
  /** Ends with the first failure. */
  failFast?: boolean;
  /** Runs the tests again whenever a file that they import changes, until it is ended. */
  watch?: boolean;
}

/**
 * The checks that words ask for: names of {@linkcode checks} (`unit`, `lint`) or paths of tests
 * (`tests/unit/kv`, a file); all when there are none. With a filter, only those that are tests.
 *
 * @throws Error for a word that is neither, and when there is more than one check to watch
 */
export function chooseChecks(words: readonly string[], options: RunOptions = {}): Check[] {
  const chosen = words.length === 0 ? [...checks] : checksOf(words);
  const flags = [
    ...(options.filter === undefined ? [] : [`--filter=${options.filter}`]),
    ...(options.failFast ? ["--fail-fast"] : []),
    ...(options.watch ? ["--watch"] : []),
  ];
  const isOfTests = options.filter !== undefined || options.watch;
  const wanted = chosen.filter(({ counts }) => counts === "tests" || !isOfTests);
  // Attacks are watched with one thread.
  if (options.watch && new Set(wanted.map(({ args }) => args.at(-1))).size !== 1) {
    throw new Error("Cannot watch all at once: name one part or file");
  }
  return wanted.slice(0, options.watch ? 1 : undefined).map((check) =>
    check.counts === "tests" ? { ...check, args: [...check.args, ...flags] } : check
  );
}

function checksOf(words: readonly string[]): Check[] {
  const paths = new Map<string, string[]>();
  const named = words.flatMap((word) => {
    const found = checks.filter(({ name }) => name === word || name.startsWith(`${word} `));
    if (found.length === 0) {
      const kind = kindOf(word);
      paths.set(kind, [...paths.get(kind) ?? [], word]);
    }
    return found;
  });
  return [...named, ...[...paths].flatMap(([kind, paths]) => checksOfPaths(kind, paths))];
}

/** Which part a path belongs to: paths of one part are run together. */
function kindOf(path: string): string {
  try {
    Deno.statSync(path);
  } catch {
    const known = checks.map(({ name }) => name).join(", ");
    throw new Error(`Cannot test "${path}": neither a path nor one of ${known}`);
  }
  const kinds = ["e2e/alone", "e2e", "fresh", "nodes", "routes", "security/in_process", "security"];
  return kinds.find((kind) => `/${path}/`.includes(`/${kind}/`)) ?? "unit";
}

function checksOfPaths(kind: string, paths: string[]): Check[] {
  const check: Check = {
    name: paths.length > 3 ? `${kind}: ${paths.length} files` : paths.join(" "),
    args: [...testing, ...paths],
    counts: "tests",
    browser: /^(e2e|fresh)/.test(kind),
    archivers: /^(routes|security)/.test(kind),
    media: /^(unit|routes|security)/.test(kind),
    denokv: kind === "nodes",
    onDisk: /^(unit|security|nodes)/.test(kind),
  };
  return kind === "security" ? [withThreads(1, check), withThreads(2, check)] : [check];
}
