import "../lib/client/navigation/open_files.ts";

export { FirstSteps } from "../lib/client/navigation/FirstSteps.tsx";
