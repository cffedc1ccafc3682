/** They sign in as previews do. */
export { default } from "../core/_middleware.ts";
