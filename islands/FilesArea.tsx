export { FilesArea } from "../lib/client/navigation/files_page.ts";
