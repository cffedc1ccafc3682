import type { GateSpec, Viewer } from "./viewer.ts";
import { Access } from "./access.ts";

/**
 * The one way to the disk. A viewer enters and gets an {@link Access} that decides, path by path,
 * what may be seen and done.
 */
export class Gate {
  readonly #spec: GateSpec;

  /** @param spec the served folder and the real paths nobody reaches */
  constructor(spec: GateSpec) {
    this.#spec = { root: spec.root, reserved: [...spec.reserved] };
  }

  /** What the gate is made of, as plain data, so that a Worker can make the same. */
  get spec(): GateSpec {
    return this.#spec;
  }

  /** Lets a viewer in. Nothing is looked up yet: a vanished root shows at the first path asked for. */
  enter(viewer: Viewer): Access {
    return new Access(this.#spec, viewer);
  }
}
