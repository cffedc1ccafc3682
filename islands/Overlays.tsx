export { Overlays } from "../lib/client/navigation/files_page.ts";
