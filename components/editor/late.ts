/** What shows a text: loaded when the first one is opened. */
export { FilePage as EditorView } from "../FilePage.tsx";
