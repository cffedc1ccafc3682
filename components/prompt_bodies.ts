/** The prompts that the files page can show. They are loaded together, when the first one is asked. */
export { DeletePrompt } from "./DeletePrompt.tsx";
export { NewFolderPrompt } from "./NewFolderPrompt.tsx";
export { ReplacePrompt } from "./ReplacePrompt.tsx";
