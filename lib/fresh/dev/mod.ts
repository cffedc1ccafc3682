/**
 * The builder: for `dev.ts` and for tests of built applications.
 *
 * @module
 */
export { Builder } from "./builder.ts";
export type { BuildOptions, ResolvedBuildConfig } from "./config.ts";
