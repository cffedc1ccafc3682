/** The longest name of a passkey, in characters: apart, as the browser needs no schema for it. */
export const longestPasskeyName = 60;
