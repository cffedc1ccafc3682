export { Sidebar } from "../lib/client/files_page/layout/files_page.ts";
