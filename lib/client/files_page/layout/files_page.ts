/**
 * The islands of the files page, by way of one module: what one of them needs comes with all four,
 * so the build makes a few large files of it instead of many small ones.
 */
import "./open_files.ts";

export { FilesArea } from "./FilesArea.tsx";
export { Header } from "./header/Header.tsx";
export { Overlays } from "./Overlays.tsx";
export { Sidebar } from "./sidebar/Sidebar.tsx";
