/** The property of a rendered Response that holds the nonce of its scripts and styles. */
export const NONCE: symbol = Symbol.for("__freshNonce");
