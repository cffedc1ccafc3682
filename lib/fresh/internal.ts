/**
 * What the generated files below `_fresh/` import. Not for applications.
 *
 * @module
 */
export { attachBuild } from "./app.ts";
export { IslandPreparer } from "./island_names.ts";
export { ProdBuildCache } from "./prod_build.ts";
