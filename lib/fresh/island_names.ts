import type { Island, IslandRegistry } from "./island.ts";
import { registerIsland } from "./islands/server.ts";

/** Gives names that are unique and safe in a URL, a comment and a script. */
export class UniqueNames {
  #seen = new Map<string, number>();

  /** The name itself, or the name with a number when it was used before. */
  take(wanted: string): string {
    const name = wanted.replace(/[^A-Za-z0-9_$]+/g, "_").replace(/^(?=\d)/, "_");
    // Some file systems ignore the case of names.
    const key = name.toLowerCase();
    const count = this.#seen.get(key) ?? 0;
    this.#seen.set(key, count + 1);
    return count === 0 ? name : this.take(`${name}_${count}`);
  }
}

/** Fills the registry of islands from the modules that define them. */
export class IslandPreparer {
  #names = new UniqueNames();

  /**
   * Makes every function that a module exports an island.
   *
   * @param islands The registry to fill.
   * @param mod The module.
   * @param file The path of its script, without the base path.
   * @param modName The name of its default export.
   * @param css The style sheets it needs.
   */
  prepare(
    islands: IslandRegistry,
    mod: Record<string, unknown>,
    file: string,
    modName: string,
    css: string[] = [],
  ): void {
    for (const [exportName, value] of Object.entries(mod)) {
      if (typeof value !== "function") continue;
      const fn = value as Island["fn"];
      const name = this.#names.take(exportName === "default" ? modName : exportName);
      registerIsland(fn);
      islands.set(fn, { file, name, exportName, fn, css });
    }
  }
}
