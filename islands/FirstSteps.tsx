export { FirstSteps } from "../lib/client/navigation/FirstSteps.tsx";
