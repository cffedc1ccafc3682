/** What the actions do, loaded together with the first of them. */
export { deleteSelection } from "./delete_entries.ts";
export { downloadFolder, downloadSelection } from "./download_entries.ts";
export { clip, dropOn, moveSelection, paste } from "./move_entries.ts";
export { newFile, newFolder } from "./new_entries.ts";
export { renameEntry } from "./rename_entry.ts";
export { showInfo } from "../info/show_info.ts";
export { shareEntry } from "../sharing/share_entry.ts";
