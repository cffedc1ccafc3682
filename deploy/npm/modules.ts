import { posix } from "node:path";
import { StartRefusal } from "../../lib/server/core/config/refusal.ts";

/** Modules as JavaScript, by their paths in the repository, and the packages that they import. */
export interface Program {
  modules: Map<string, string>;
  packages: Set<string>;
}

/** Modules with which a process or a thread begins, besides those that another module names. */
const entries = [
  ...["lib/server/boot/launch.ts", "lib/server/boot/serve.ts", "lib/server/boot/ask_health.ts"],
  ...["lib/server/cli/cubby.ts", "_fresh/server.js"],
];

/** Names that the import map gives to folders of the repository, and the modules behind them. */
const own: Readonly<Record<string, string>> = {
  "fresh": "lib/fresh/src/mod.ts",
  "fresh/runtime": "lib/fresh/src/runtime/shared.ts",
  "fresh/internal": "lib/fresh/src/internals.ts",
  "react": "lib/react/index.js",
  "react/jsx-runtime": "lib/react/jsx-runtime.js",
};

/** Static imports and exports, imports by `import()`, and addresses of Workers and processes. */
const importing = [
  /((?:^|\*\/)[ \t]*(?:import|export)\b[^"'`;()]*?\bfrom[ \t]*")([^"\n]+)(")/gm,
  /((?:^|\*\/)[ \t]*import[ \t]*")([^"\n]+)(")/gm,
  /(\bimport\([ \t\n]*")([^"\n]+)("[ \t\n]*\))/g,
  /(\bnew URL\([ \t\n]*")(\.[^"\n]+\.tsx?)(",[ \t\n]*import\.meta\.url[ \t\n]*\))/g,
  /(\brequire\(")([^"\n]+)("\))/g,
];

/** Whether the server never runs the late imports of a module: only the browser does. */
const loadsLateInBrowsers = /^(?:components|islands|lib\/client)\//;

/**
 * Finds what the server can load, beginning with its entries.
 *
 * @param all every module of the repository
 * @throws StartRefusal when one names another that is not there
 */
export function collectModules(all: Program["modules"]): Program {
  const program: Program = { modules: new Map(), packages: new Set() };
  const waiting = entries.map((path) => ({ path, from: "the package" }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, from } = next;
    if (program.modules.has(path)) continue;
    const code = all.get(path);
    if (code === undefined) throw new StartRefusal(`Cannot pack: ${from} needs ${path}`);
    program.modules.set(path, code);
    for (const specifier of specifiersIn(path, code)) {
      const target = targetOf(path, specifier);
      if (target !== null) waiting.push({ path: target, from: path });
      else if (!specifier.startsWith("node:")) program.packages.add(packageOf(specifier));
    }
  }
  return program;
}

/** A module whose imports name the modules of the package: as JavaScript, by relative paths. */
export function rewriteImports(path: string, code: string, { modules }: Program): string {
  return importing.reduce(
    (text, pattern) =>
      text.replace(pattern, (whole, before: string, specifier: string, after: string) => {
        const target = targetOf(path, specifier);
        if (target === null || !modules.has(target)) return whole;
        const way = posix.relative(posix.dirname(path), target).replace(/\.tsx?$/, ".js");
        const named = way.startsWith(".") ? way : `./${way}`;
        return `${before}${encodePath(named)}${after}`;
      }),
    code,
  );
}

function specifiersIn(path: string, code: string): string[] {
  const [, , late] = importing;
  return importing
    .filter((pattern) => pattern !== late || !loadsLateInBrowsers.test(path))
    .flatMap((pattern) => [...code.matchAll(pattern)].map(([, , specifier = ""]) => specifier));
}

/** The module of the repository that a specifier means; null for packages and for Deno's own. */
function targetOf(path: string, specifier: string): string | null {
  if (specifier.startsWith(".")) {
    return posix.join(posix.dirname(path), decodeURIComponent(specifier));
  }
  return own[specifier] ?? null;
}

/** `preact` of `preact/hooks`, `@preact/signals` of itself. */
function packageOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
