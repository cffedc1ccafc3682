/** Parts of the files page that few visits need, in one lazy chunk; see `late_listing.ts`. */
export { Drawer } from "./sidebar/Drawer.tsx";
export { DropTarget } from "../drag/DropTarget.tsx";
export { ParentLink } from "./ParentLink.tsx";
export { TaskCards } from "../live/TaskCards.tsx";
export { UploadPanel } from "../uploads/UploadPanel.tsx";
