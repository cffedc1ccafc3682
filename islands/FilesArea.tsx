export { FilesArea } from "../lib/client/layout/files_page.ts";
