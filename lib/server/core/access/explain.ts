import { DomainError, type ErrorCode } from "../../../shared/errors.ts";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import type { AskedAction, ReasonKind } from "../../../shared/schemas/choices/access_choices.ts";
import type { Access } from "./access.ts";
import type { Denial } from "./denial.ts";
import type { Gate } from "./gate.ts";
import type { Viewer } from "./viewer.ts";

/** Why something is refused: by the gate, or as the disk is. */
export type Refusal = Denial | { kind: Exclude<ReasonKind, Denial["kind"]> };

/** The gate's own decisions: each is asked as the call that does it would be. */
const asked: Record<AskedAction, (access: Access, path: EntryPath) => void> = {
  view: (access, path) => access.stat(path),
  download(access, path) {
    access.need(`Cannot download "${path}"`, "download");
    if (access.stat(path).isFile) access.read(path);
  },
  create(access, path) {
    access.need(`Cannot create "${path}"`, "create");
    access.create(newIn(access, path));
  },
  change: (access, path) => access.modify(path),
  rename: (access, path) => access.rename(path),
  delete: (access, path) => access.remove(path),
  share: (access, path) => access.share(path),
  run(access, path) {
    access.need(`Cannot run commands in "${path}"`, "execute");
    access.folder(path);
    access.confines(path, `Cannot run commands in "${path}"`, true);
  },
};

/**
 * Why the gate would not let a viewer do something: all permissions that are missing, and then what
 * else stands against it. None where it would. Nothing is decided here: the gate is asked, again
 * and again with one more permission.
 */
export function refusalsOf(
  gate: Gate,
  viewer: Viewer,
  action: AskedAction,
  path: EntryPath,
): Refusal[] {
  const refusals: Refusal[] = [];
  let { perm } = viewer;
  for (;;) {
    const refusal = refusalOf(gate, { ...viewer, perm }, action, path);
    if (refusal === null) return refusals;
    refusals.push(refusal);
    if (refusal.kind !== "permission") return refusals;
    perm = { ...perm, [refusal.permission]: true };
  }
}

function refusalOf(
  gate: Gate,
  viewer: Viewer,
  action: AskedAction,
  path: EntryPath,
): Refusal | null {
  let denial: Denial | null = null;
  const note = (noted: Denial) => denial ??= noted;
  try {
    asked[action](gate.explain(viewer, note), path);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return denial ?? { kind: kinds[error.code] ?? "disk" };
  }
}

const kinds: Partial<Record<ErrorCode, Exclude<ReasonKind, Denial["kind"]>>> = {
  // As the operating system says of its own permissions.
  forbidden: "system",
  not_found: "missing",
  exists: "blocked",
  invalid_name: "invalid_name",
  invalid_path: "invalid_name",
};

/** In a folder something new is made, with a name that no rule is about; elsewhere the entry itself. */
function newIn(access: Access, path: EntryPath): EntryPath {
  try {
    return access.stat(path).isFolder ? childOf(path, crypto.randomUUID()) : path;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return path;
    throw error;
  }
}
