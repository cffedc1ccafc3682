/** Parts of the files page that most visits never see: loaded together, when the first is wanted. */
export { DeletePrompt } from "./DeletePrompt.tsx";
export { Drawer } from "./Drawer.tsx";
export { DropTarget } from "./DropTarget.tsx";
export { NewFolderPrompt } from "./NewFolderPrompt.tsx";
export { ReplacePrompt } from "./ReplacePrompt.tsx";
export { UploadPanel } from "./UploadPanel.tsx";
