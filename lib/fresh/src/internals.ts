/**
 * The imports of the generated files below `_fresh/`. Not for applications.
 *
 * @module
 */
export { setBuildCache } from "./app.ts";
export { IslandPreparer, ProdBuildCache } from "./build_cache.ts";
