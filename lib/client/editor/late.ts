/** What shows a text: loaded when the first one is opened. */
export { EditorView } from "./EditorView.tsx";
