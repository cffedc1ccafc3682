export { Sidebar } from "../lib/client/layout/files_page.ts";
