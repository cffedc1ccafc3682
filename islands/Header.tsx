export { Header } from "../lib/client/layout/files_page.ts";
