import "../lib/client/files_page/layout/open_files.ts";

export { FirstSteps } from "../lib/client/files_page/layout/FirstSteps.tsx";
