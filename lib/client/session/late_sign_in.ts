/** The way back in: loaded when a session runs out while its page is open. */
export { SignInPrompt } from "./SignInPrompt.tsx";
