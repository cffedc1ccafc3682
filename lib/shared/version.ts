/** The program's version. */
export const version = "0.3.0";
