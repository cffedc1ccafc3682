export { Header } from "../lib/client/navigation/files_page.ts";
