/**
 * The script that starts the islands of a page.
 *
 * @module
 */
import "./preact_hooks_client.ts";

export { boot } from "./reviver.ts";
