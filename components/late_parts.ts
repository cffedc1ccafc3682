/** Parts of the files page that most visits never see: loaded together, when the first is wanted. */
export { Drawer } from "./Drawer.tsx";
export { DropTarget } from "./DropTarget.tsx";
export { UploadPanel } from "./UploadPanel.tsx";
export { TaskCards } from "./TaskCards.tsx";
