export { Sidebar } from "../lib/client/navigation/files_page.ts";
