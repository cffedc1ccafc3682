/** What shows a file that is no text: loaded when the first such file is opened. */
export { FilePage as Preview } from "../FilePage.tsx";
