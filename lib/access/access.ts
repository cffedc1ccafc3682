import { DomainError } from "../errors.ts";
import type { Permissions } from "../api_types.ts";
import type { GateSpec, Viewer } from "./viewer.ts";

/** What one viewer may see and do. Every method throws `forbidden` alike whether the target exists or not. */
export class Access {
  constructor(readonly spec: GateSpec, readonly viewer: Viewer) {}

  /** @throws {DomainError} `forbidden` when the viewer lacks the permission */
  need(permission: keyof Permissions): void {
    const { perm } = this.viewer;
    if (perm.admin || perm[permission]) return;
    throw new DomainError("forbidden", `Cannot go on: the permission "${permission}" is missing`);
  }
}
