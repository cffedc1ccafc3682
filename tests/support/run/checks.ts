/** The checks that `deno task test` runs, and how the arguments choose among them. */
import { isShared } from "./shared_state.ts";
import { testsBelow } from "./test_files.ts";

/**
 * What runs at the same time, so that no processor is idle while a check waits: those that keep the
 * processors busy; those with a browser, which wait for pages; those that do one thing at a time,
 * or wait for servers to end. A lane whose own checks have ended takes over `busy` ones, so that all
 * lanes end together. What is `last` runs after all: it looks at how long it takes.
 */
export type Lane = "busy" | "browser" | "serial" | "last";

/** One run of the `deno` binary that counts as one check, or as the tests it reports. */
export interface Check {
  /** What the arguments call it. */
  name: string;
  /** Arguments of `deno`, without the paths of tests. */
  args: string[];
  /** `tests`: the answer is `deno test`'s summary; `one`: the exit status alone. */
  counts: "tests" | "one";
  /** The files of tests. */
  files: string[];
  /** How many files of a folder share a module; 1 when left out. */
  perModule?: number;
  /** How many modules run at once; 1 when left out. */
  jobs?: number;
  /** Those of one lane run one after the other, beside those of the other lanes. */
  lane?: Lane;
  /** Whether it drives a browser. */
  browser?: boolean;
  /** Whether it looks for what happens by chance, so that what failed once has failed. */
  byChance?: boolean;
  /** Whether it unpacks archives. */
  archivers?: boolean;
  /** Whether it makes previews of videos and PDF. */
  media?: boolean;
  /** Whether it starts a KV Connect server, which no package of Debian brings. */
  denokv?: boolean;
  /** Whether its files lie on a real disk even where the others' lie in memory. */
  onDisk?: boolean;
  /** What is added to the environment. */
  env?: Record<string, string>;
}

const testing = ["test", "-A", "--no-check", "--sanitize-ops", "--sanitize-resources"];

/**
 * Runs the tests of a module in another order than they are written in, so that one which depends on
 * those before it fails. The order is the same in every run until this number is changed: with a
 * new one for each run, a dependency would look like a test that fails now and then. `--shuffle`
 * tries other orders.
 */
const shuffled = "--shuffle=1";

/** With each random id in its worst spelling; ordinary ones are met in all other checks. */
const worstIds = [...testing, "--preload=tests/support/run/worst_ids.ts"];

/**
 * Few enough that some modules are left for every processor to the end. Only where no application is
 * open in the tests' own process: its work would go on during the tests of other files.
 */
const MANY = 12;

/** As many as there are processors: while one waits for its server, other lanes have them. */
const JOBS = navigator.hardwareConcurrency;

function ofTests(name: string, paths: string[], more: Partial<Check> = {}): Check {
  return { name, args: testing, counts: "tests", files: testsBelow(paths), ...more };
}

function one(name: string, ...args: string[]): Check {
  return { name, args, counts: "one", files: [] };
}

/** How the tests of each folder are run. A path belongs to the first of these that it lies below. */
const kinds: Record<string, Partial<Check>> = {
  "e2e/alone": { browser: true, jobs: JOBS, lane: "last" },
  e2e: { browser: true, jobs: JOBS + 1, perModule: MANY, lane: "browser" },
  fresh: { browser: true, jobs: JOBS, lane: "serial" },
  // Without denokv: the tests have a store of their own.
  "nodes/alone": { onDisk: true, lane: "serial" },
  nodes: { denokv: true, onDisk: true, jobs: JOBS, lane: "serial" },
  compat: { jobs: JOBS, lane: "serial" },
  faults: { byChance: true, onDisk: true, lane: "serial" },
  routes: { args: [...worstIds, shuffled], archivers: true, media: true, jobs: JOBS },
  release: { onDisk: true, lane: "serial" },
  "security/alone": { onDisk: true, lane: "last" },
  "security/races": { byChance: true, onDisk: true, lane: "serial" },
  security: { byChance: true, archivers: true, media: true, onDisk: true, jobs: JOBS },
  unit: {
    ...{ args: [...worstIds, shuffled], media: true, onDisk: true },
    ...{ jobs: JOBS, perModule: MANY },
  },
};

/**
 * The attacks, against real servers that have one thread, then two: again those on what threads
 * share, as their files say. Those that only an application in the tests' own process allows, with
 * its clock and clients from elsewhere, are made once.
 */
function withThreads(count: 1 | 2, check: Check): Check {
  if (count === 1) return { ...check, env: { WORKERS: "1" } };
  const files = check.files.filter(isShared);
  return { ...check, name: `${check.name} with two threads`, files, env: { WORKERS: "2" } };
}

function attacks(name: string, paths: string[], kind = "security", without = /^$/): Check[] {
  const all = ofTests(name, paths, kinds[kind]);
  const files = all.files.filter((file) => !without.test(file));
  return ([1, 2] as const).map((count) => withThreads(count, { ...all, files }))
    .filter(({ files }) => files.length > 0);
}

/**
 * Everything there is to check. Types are checked once for all files, so the tests need not do it
 * again; the build is made before the first test that may start a server.
 */
export const checks: readonly Check[] = [
  one("format", "fmt", "--check"),
  one("lint", "lint"),
  one("types", "check"),
  one("build", "run", "-A", "tests/support/run/build.ts"),
  ...["unit", "fresh", "routes", "compat"].map(part),
  ...attacks("security", ["tests/security"], "security", /\/(?:alone|races)\//),
  ...attacks("security races", ["tests/security/races"], "security/races"),
  ...attacks("security alone", ["tests/security/alone"], "security/alone"),
  part("faults"),
  part("nodes"),
  ofTests("nodes alone", ["tests/nodes/alone"], kinds["nodes/alone"]),
  part("e2e"),
  ofTests("e2e alone", ["tests/e2e/alone"], kinds["e2e/alone"]),
];

/** What takes too long to be among all: it runs when it is asked for, as before a release. */
export const onRequest: readonly Check[] = [part("release")];

function part(name: string): Check {
  const check = ofTests(name, [`tests/${name}`], kinds[name]);
  return { ...check, files: check.files.filter((file) => !file.includes("/alone/")) };
}

/** As many as there is time for: with those that take longest, two processors need a minute. */
const QUICK = { unit: 40, routes: 12 };

/** What `quick` runs, and what it leaves out. */
export interface Quick {
  checks: Check[];
  /** Tests that import what changed by more imports than those that are run. */
  left: string[];
}

/**
 * The checks to work with: format, lint, the types of what changed, and the tests of `unit` and
 * `routes` that import what changed by the fewest imports.
 *
 * @param changed the files that changed, as far as they exist
 * @param nearest the tests that import them, the nearest first
 */
export function quickChecks(changed: readonly string[], nearest: readonly string[]): Quick {
  const typed = changed.filter((path) => /\.tsx?$/.test(path));
  const kinds = ["unit", "routes"] as const;
  const near = (kind: (typeof kinds)[number]) =>
    nearest.filter((path) => path.startsWith(`tests/${kind}/`));
  const parts = kinds.map((kind) => ofQuick(kind, near(kind).slice(0, QUICK[kind])));
  return {
    checks: [
      one("format", "fmt", "--check"),
      one("lint", "lint"),
      ...(typed.length > 0 ? [one("types of what changed", "check", ...typed)] : []),
      ...parts.filter(({ files }) => files.length > 0),
    ],
    left: kinds.flatMap((kind) => near(kind).slice(QUICK[kind])),
  };
}

function ofQuick(kind: "unit" | "routes", files: string[]): Check {
  return { ...ofTests(kind, [], kinds[kind]), files, lane: kind === "unit" ? "busy" : "serial" };
}

/** What is printed above a check: its name, and the order of its tests where that is not their own. */
export function headingOf({ name, args }: Check): string {
  return ["==", name, ...args.filter(isOrder)].join(" ");
}

const isOrder = (arg: string) => arg.startsWith("--shuffle");

/** How the chosen tests are run. */
export interface RunOptions {
  /** Only tests whose names contain this, or match it as "/a pattern/". */
  filter?: string;
  /** Ends with the first failure. */
  failFast?: boolean;
  /** The order of the tests of each module: a number gives the same one each time. */
  shuffle?: string;
  /** Runs the tests again whenever a file that they import changes, until it is ended. */
  watch?: boolean;
}

/**
 * The checks that words ask for: names of {@linkcode checks} (`unit`, `lint`) or paths of tests
 * (`tests/unit/core/kv`, a file); all when there are none. With a filter, only those that are tests.
 *
 * @throws Error for a word that is neither, and when there is more than one check to watch
 */
export function chooseChecks(words: readonly string[], options: RunOptions = {}): Check[] {
  const chosen = words.length === 0 ? [...checks] : checksOf(words);
  const { shuffle } = options;
  const flags = [
    ...(shuffle === undefined ? [] : [`--shuffle=${shuffle}`]),
    ...(options.filter === undefined ? [] : [`--filter=${options.filter}`]),
    ...(options.failFast ? ["--fail-fast"] : []),
    ...(options.watch ? ["--watch"] : []),
  ];
  const isOfTests = options.filter !== undefined || options.watch;
  const wanted = chosen.filter(({ counts }) => counts === "tests" || !isOfTests);
  // Attacks are watched with one thread.
  if (options.watch && new Set(wanted.map(({ name }) => name.split(" with ")[0])).size !== 1) {
    throw new Error("Cannot watch all at once: name one part or file");
  }
  const own = (arg: string) => shuffle === undefined || !isOrder(arg);
  return wanted.slice(0, options.watch ? 1 : undefined).map((check) =>
    check.counts === "tests" ? { ...check, args: [...check.args.filter(own), ...flags] } : check
  );
}

function checksOf(words: readonly string[]): Check[] {
  const paths = new Map<string, string[]>();
  const named = words.flatMap((word) => {
    const found = [...checks, ...onRequest]
      .filter(({ name }) => name === word || name.startsWith(`${word} `));
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
    const known = [...checks, ...onRequest].map(({ name }) => name).join(", ");
    throw new Error(`Cannot test "${path}": neither a path nor one of ${known}`);
  }
  return Object.keys(kinds).find((kind) => `/${path}/`.includes(`/${kind}/`)) ?? "unit";
}

function checksOfPaths(kind: string, paths: string[]): Check[] {
  const name = paths.length > 3 ? `${kind}: ${paths.length} files` : paths.join(" ");
  if (kind.startsWith("security")) return attacks(name, paths, kind);
  return [ofTests(name, paths, kinds[kind])];
}
