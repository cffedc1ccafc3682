import { basename, join } from "node:path";
import { pathToFileUrl } from "../utils.ts";

/** A script for the browser. */
export interface Script {
  /** Its file name: the entry's name with `.js`, or `chunk-<hash>.js`. */
  name: string;
  /** Its code. */
  content: Uint8Array<ArrayBuffer>;
}

/**
 * Bundles modules for the browser, each under its own name, with what they share in chunks.
 *
 * @param entries The path of each module, by name.
 * @throws {Error} with the messages of the bundler, when a module cannot be bundled.
 */
export async function bundleJs(
  entries: Map<string, string>,
  options: { minify: boolean; sourceMap?: "linked" | "inline" | "external" },
): Promise<Script[]> {
  const folder = await Deno.makeTempDir({ prefix: "fresh-" });
  try {
    const entrypoints: string[] = [];
    for (const [name, path] of entries) {
      const entry = join(folder, `${name}.js`);
      await Deno.writeTextFile(entry, reExport(pathToFileUrl(path)));
      entrypoints.push(entry);
    }
    const result = await Deno.bundle({
      entrypoints,
      outputDir: folder,
      write: false,
      format: "esm",
      platform: "browser",
      codeSplitting: true,
      minify: options.minify,
      sourcemap: options.sourceMap,
    });
    if (!result.success) {
      const reasons = result.errors.map(({ text, location }) =>
        location ? `${location.file}:${location.line}: ${text}` : text
      );
      throw new Error(`Cannot bundle the islands: ${reasons.join("; ")}`);
    }
    return (result.outputFiles ?? []).map(({ path, contents }) => ({
      name: basename(path),
      content: contents ?? new Uint8Array(),
    }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A module that has the exports of another, its default included if there is one. */
function reExport(url: string): string {
  const specifier = JSON.stringify(url);
  return `import * as module from ${specifier};
export default module.default;
export * from ${specifier};
`;
}
