import * as v from "valibot";
import { foldName } from "../fold.ts";
import { childOf, parsePath, ROOT } from "../path.ts";
import { about, flag, notes, shape, text } from "./parts.ts";

/** Most named roots of one user. */
export const maxRoots = 50;

/** Most characters of a root's name. */
export const maxRootNameLength = 100;

/** The schema of {@linkcode NamedRoot}. */
const namedRootSchema = about(
  "A folder that a user finds under a name of its own.",
  shape({
    name: v.pipe(
      text,
      v.transform((name) => name.normalize("NFC").trim()),
      v.check(
        isRootName,
        ({ input }) =>
          `Cannot name a root "${input}": it must be a name of a folder, without a dot at its beginning`,
      ),
      v.minLength(1),
      v.maxLength(maxRootNameLength),
      v.description("The name of the folder, as the user sees it."),
    ),
    path: v.pipe(
      text,
      // As a scope: ".", "./a" and "a" are also folders below the server's root.
      v.transform((path): string => parsePath(path.trim().replace(/^\.(?:\/|$)/, "/")).path),
      v.startsWith("/"),
      v.description("The folder, as a path below the server's root."),
    ),
    readOnly: v.nullish(about("Nothing in it may be changed.", flag), false),
  }),
);

/** A folder that a user finds under a name of its own, instead of a scope. */
export type NamedRoot = v.InferOutput<typeof namedRootSchema>;

/** The faults in the fields of a root in a list; `taken` when an earlier one has the same. */
export interface RootFaults {
  name?: "blank" | "invalid" | "taken";
  path?: "blank" | "invalid" | "taken";
}

/**
 * The faults that {@linkcode namedRoots} would refuse, for a form: one for each root. A folder has
 * to be named, too, as a blank one would be the whole root of the server.
 */
export function rootFaults(roots: readonly NamedRoot[]): RootFaults[] {
  const taken = { name: new Set<string>(), path: new Set<string>() };
  return roots.map((root) => {
    const faults: RootFaults = {};
    for (const field of ["name", "path"] as const) {
      const value = readField(field, root[field]);
      const folded = foldName(value ?? "");
      if (root[field].trim() === "") faults[field] = "blank";
      else if (value === null) faults[field] = "invalid";
      else if (taken[field].has(folded)) faults[field] = "taken";
      else taken[field].add(folded);
    }
    return faults;
  });
}

function readField(field: "name" | "path", text: string): string | null {
  try {
    return v.parse(namedRootSchema.entries[field], text);
  } catch {
    return null;
  }
}

/** The schema of a user's named roots. */
export const namedRoots = v.pipe(
  v.array(namedRootSchema, "a list"),
  v.maxLength(maxRoots, `Cannot read roots: there may be at most ${maxRoots}`),
  v.check(
    (roots) => areUnlike(roots.map(({ name }) => name)),
    "Cannot read roots: two have the same name, upper and lower case being the same",
  ),
  v.check(
    (roots) => areUnlike(roots.map(({ path }) => path)),
    "Cannot read roots: two lead to the same folder",
  ),
  v.description(
    "Folders that the user finds under names of their own, in place of the scope; none for the scope.",
  ),
  notes({ value: "LIST" }),
);

function areUnlike(texts: string[]): boolean {
  return new Set(texts.map(foldName)).size === texts.length;
}

function isRootName(name: string): boolean {
  try {
    childOf(ROOT, name);
    return !name.startsWith(".") && !/[\\\p{Cc}]/u.test(name);
  } catch {
    return false;
  }
}
