import type { Entry } from "../api_types.ts";

/** The entries of a folder as far as they are loaded. Immutable: a change makes another one. */
export declare class Rows {
  /** How many entries the folder has. */
  readonly total: number;
  /** How many of them are loaded. */
  readonly loaded: number;
  /** An entry by its place in the order; undefined while it is not loaded. */
  at(index: number): Entry | undefined;
}
