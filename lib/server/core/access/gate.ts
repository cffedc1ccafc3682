import type { NoteDenial } from "./denial.ts";
import { Access } from "./access.ts";
import type { FindAllowance, GateSpec, UploadJournal, Viewer } from "./viewer.ts";

/**
 * The only way to the disk. A viewer enters and gets an {@link Access} that decides, path by path,
 * what may be seen and done.
 */
export class Gate {
  readonly #spec: GateSpec;
  readonly #journal?: UploadJournal;
  readonly #findAllowance?: FindAllowance;

  /**
   * @param spec the served folder, the reserved real paths, and the modes and names of what is made
   * @param journal records which folders get temporary files; none in Workers that write none
   * @param findAllowance tells how much viewers with a quota may add; none in Workers, which ask the
   * thread that calls them
   */
  constructor(spec: GateSpec, journal?: UploadJournal, findAllowance?: FindAllowance) {
    const { root, reserved, readOnly = [], fileMode, dirMode, windowsNames } = spec;
    const modes = { fileMode, dirMode };
    this.#spec = { root, reserved: [...reserved], readOnly: [...readOnly], ...modes, windowsNames };
    this.#journal = journal;
    this.#findAllowance = findAllowance;
  }

  /** The gate's configuration as plain data, so that a Worker can construct the same gate. */
  spec(): GateSpec {
    return this.#spec;
  }

  /** The access of a viewer. Nothing is looked up yet: a missing root fails the first path. */
  enter(viewer: Viewer): Access {
    return new Access(this.#spec, viewer, this.#journal, this.#findAllowance);
  }

  /** The same, for explanations: `note` is called with the reason of each refusal. */
  explain(viewer: Viewer, note: NoteDenial): Access {
    return new Access(this.#spec, viewer, this.#journal, this.#findAllowance, note);
  }
}

/** An access as a Worker receives it. */
export type SentAccess = Pick<Access, "spec" | "viewer">;

/** Enters the gate again, in a Worker: permissions, rules and scope are checked where they are used. */
export function enterAgain({ spec, viewer }: SentAccess): Access {
  return new Gate(spec).enter(viewer);
}
