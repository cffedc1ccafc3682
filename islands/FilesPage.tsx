/**
 * The islands of the files page in one module: what one of them needs comes with all four, so the
 * build makes a few large files of it instead of many small ones.
 */
import "../lib/client/files_page/layout/open_files.ts";

export { FilesArea } from "../lib/client/files_page/layout/FilesArea.tsx";
export { Header } from "../lib/client/files_page/layout/header/Header.tsx";
export { Overlays } from "../lib/client/files_page/layout/Overlays.tsx";
export { Sidebar } from "../lib/client/files_page/layout/sidebar/Sidebar.tsx";
