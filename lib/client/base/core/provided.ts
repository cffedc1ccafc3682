/**
 * A value that the browser's lower rooms know by its interface alone: a module further up, which
 * knows the classes, provides it, and the entry of every page imports that module. A React context
 * can't do this, as islands are separate roots.
 *
 * The value is the same for all requests that the server renders, so it holds no user's data: hooks
 * and functions only.
 */
export class Provided<T> {
  readonly #name: string;
  #value: T | undefined;

  /** @param name names the value in the error of `get` */
  constructor(name: string) {
    this.#name = name;
  }

  /** Sets the value, before anything is rendered. */
  provide(value: T): void {
    this.#value = value;
  }

  /** @throws Error when no module has provided the value */
  get(): T {
    if (this.#value === undefined) {
      throw new Error(`Cannot render: no module of this page provides "${this.#name}"`);
    }
    return this.#value;
  }
}
