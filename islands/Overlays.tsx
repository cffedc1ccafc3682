export { Overlays } from "../lib/client/layout/files_page.ts";
