import "../lib/client/layout/open_files.ts";

export { FirstSteps } from "../lib/client/layout/FirstSteps.tsx";
