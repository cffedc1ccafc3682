/**
 * Parts of the listing that few visits need, in one lazy chunk: every `import()` of its own splits
 * the chunks of the first paint further, which made them 0.7 KB larger.
 */
export { ActionMenu } from "../menu/ActionMenu.tsx";
export { PlayButton } from "../menu/PlayButton.tsx";
export { RowActions } from "../menu/RowActions.tsx";
export { printListing } from "./print_listing.ts";
export { FilterBar, FilterNone } from "./FilterBar.tsx";
export { TypeAhead } from "../selection/type_ahead.ts";
export { SelectedText, SelectionActs } from "../selection/SelectionBar.tsx";
