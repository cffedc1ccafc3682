/** What shows a file that is no text: loaded when the first such file is opened. */
export { Preview } from "./Preview.tsx";
