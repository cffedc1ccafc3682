import { Access } from "./access.ts";
import type { GateSpec, UploadJournal, Viewer } from "./viewer.ts";

/**
 * The only way to the disk. A viewer enters and gets an {@link Access} that decides, path by path,
 * what may be seen and done.
 */
export class Gate {
  readonly #spec: GateSpec;
  readonly #journal?: UploadJournal;

  /**
   * @param spec the served folder, the reserved real paths, and the modes of what is made
   * @param journal records which folders get temporary files; none in Workers that write none
   */
  constructor(spec: GateSpec, journal?: UploadJournal) {
    const { root, reserved, readOnly = [], fileMode, dirMode } = spec;
    this.#spec = { root, reserved: [...reserved], readOnly: [...readOnly], fileMode, dirMode };
    this.#journal = journal;
  }

  /** The gate's configuration as plain data, so that a Worker can construct the same gate. */
  spec(): GateSpec {
    return this.#spec;
  }

  /** The access of a viewer. Nothing is looked up yet: a missing root fails the first path. */
  enter(viewer: Viewer): Access {
    return new Access(this.#spec, viewer, this.#journal);
  }
}
