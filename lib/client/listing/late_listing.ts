/** Parts of the listing that not every visit sees: loaded together, when the first is wanted. */
export { ActionMenu } from "../menu/ActionMenu.tsx";
export { Thumb } from "./Thumb.tsx";
