/** Parts of the listing that not every visit sees: loaded together, when the first is wanted. */
export { Thumb } from "./Thumb.tsx";
