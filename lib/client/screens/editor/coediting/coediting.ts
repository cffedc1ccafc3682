/** All that editing with others needs, loaded with the first text that the server has a room for. */
export { CoeditedText } from "./coedited_text.ts";
export { readUnsent } from "./coedited_doc.ts";
export { openUnsentTexts } from "./unsent_texts.ts";
export { People } from "./People.tsx";
