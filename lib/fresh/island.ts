import type { ComponentType } from "preact";

/** A component that is also sent to the browser. */
export interface Island {
  /** The path of its script, without the base path. */
  file: string;
  /** Its name, unique among the islands of the application. */
  name: string;
  /** The name under which its script exports it. */
  exportName: string;
  /** The component. */
  fn: ComponentType;
  /** The style sheets it needs. */
  css: string[];
}

/** The islands of an application, by component. */
export type IslandRegistry = Map<unknown, Island>;
