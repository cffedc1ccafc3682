import { type Import, listImports, readSources } from "../support/run/imports.ts";

/** Tests in one process, fast enough to run for each mutation; attacks are made there by default. */
const fastTests = /^tests\/(?:unit|routes|security)\/.*_test\.tsx?$/;

/** In a test that needs a process of the server, or races with it. */
const slowMark = /\bstart(?:Server|Probe)\b|^tests\/security\/races\//;

/** Words of paths that tell nothing of what a file is about. */
const commonWords = new Set(["lib", "server", "shared", "tests", "unit", "routes", "test", "ts"]);

/** Orders the fast tests by how near they are to a file. */
export class NearestTests {
  readonly #importers: ReadonlyMap<string, string[]>;

  /** @param imports between all modules; see {@linkcode readImports} */
  constructor(imports: readonly Import[]) {
    this.#importers = Map.groupBy(imports, ({ to }) => to).entries().reduce(
      (all, [to, list]) => all.set(to, list.map(({ from }) => from)),
      new Map<string, string[]>(),
    );
  }

  /**
   * The fast tests that load a file: those that share most words of their path with it come first,
   * among these the ones with the fewest imports in between.
   */
  of(file: string): string[] {
    const distances = this.#distancesTo(file);
    const words = wordsOf(file);
    const isNearer = (test: string) => {
      const shared = wordsOf(test).intersection(words).size;
      const distance = distances.get(test) ?? Infinity;
      return shared * 2 - distance + (distance === 1 ? 10 : 0);
    };
    const tests = [...distances.keys()].filter((path) => fastTests.test(path)).sort();
    return tests.sort((a, b) => isNearer(b) - isNearer(a));
  }

  /** The number of imports between each module and a file. */
  #distancesTo(file: string): Map<string, number> {
    const distances = new Map([[file, 0]]);
    for (const [path, distance] of distances) {
      for (const importer of this.#importers.get(path) ?? []) {
        if (!distances.has(importer)) distances.set(importer, distance + 1);
      }
    }
    return distances;
  }
}

function wordsOf(path: string): Set<string> {
  const words = path.split(/[/_.]/).filter((word) => !commonWords.has(word));
  return new Set(words.map((word) => word.replace(/s$/, "")));
}

/** What loads what, as the tests see it: the application loads its routes by their places. */
export async function readImports(top: URL): Promise<Import[]> {
  const sources = await readSources(top);
  for (const [path, text] of sources) {
    if (fastTests.test(path) && (slowMark.test(text) || slowMark.test(path))) sources.delete(path);
  }
  const routes = [...sources.keys()].filter((path) => path.startsWith("routes/"));
  return [
    ...listImports(sources).filter(({ kind }) => kind !== "type"),
    ...routes.map((to): Import => ({ from: "lib/server/http/app.ts", to, kind: "lazy" })),
  ];
}
