import * as v from "valibot";
import { foldName } from "../fold.ts";
import { childOf, parsePath, ROOT } from "../path.ts";
import { about, flag, notes, shape, text } from "./parts.ts";

/** Most named roots of one user. */
export const mostRoots = 50;

/** Most characters of a root's name. */
const longestRootName = 100;

/** The schema of {@linkcode NamedRoot}. */
export const namedRootSchema = about(
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
      v.maxLength(longestRootName),
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

/** The schema of a user's named roots. */
export const namedRoots = v.pipe(
  v.array(namedRootSchema, "a list"),
  v.maxLength(mostRoots, `Cannot read roots: there may be at most ${mostRoots}`),
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
