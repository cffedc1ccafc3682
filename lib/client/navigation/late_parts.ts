/** Parts of the files page that most visits never see: loaded together, when the first is wanted. */
export { Drawer } from "./Drawer.tsx";
export { DropTarget } from "../drag/DropTarget.tsx";
export { UploadPanel } from "../uploads/UploadPanel.tsx";
export { TaskCards } from "../live/TaskCards.tsx";
