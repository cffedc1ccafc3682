/**
 * The imports of the generated files below `_fresh/`. Not for applications.
 *
 * @module
 */
export { attachBuild } from "./app.ts";
export { IslandPreparer } from "./island_names.ts";
export { ProdBuildCache } from "./prod_build.ts";
