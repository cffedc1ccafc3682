/**
 * The builder: for `dev.ts` and for tests of built applications.
 *
 * @module
 */
export { Builder, type BuildOptions, type ResolvedBuildConfig } from "./builder.ts";
