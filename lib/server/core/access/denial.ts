import type { Permissions, Rule } from "../../../shared/schemas/rights.ts";
import type { EntryPath } from "../../../shared/path.ts";

/** Why the gate refuses. Never told to those whom it refuses: it would say what is there. */
export type Denial =
  | { kind: "permission"; permission: keyof Permissions }
  /** @property path in the scope: of the entry, or of one that a link on the way leads to */
  | { kind: "rule"; rule: Rule; path: EntryPath }
  | { kind: "hidden"; path: EntryPath }
  /** A link on the way, or at the end of it, leads out of the scope. */
  | { kind: "link" }
  | { kind: "reserved" }
  | { kind: "read_only" }
  /** The scope is not there, or is behind a link. */
  | { kind: "scope" }
  /** The root of the scope can neither be moved nor deleted. */
  | { kind: "top" };

/** Is told why the gate refuses, where it does. */
export type NoteDenial = (denial: Denial) => void;
