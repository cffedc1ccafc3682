/**
 * Parts of the listing that few visits need, in one lazy chunk: every `import()` of its own splits
 * the chunks of the first paint further, which made them 0.7 KB larger.
 */
export { ActionMenu } from "../menu/ActionMenu.tsx";
export { Thumb } from "./Thumb.tsx";
