/**
 * The one environment variable that the server process may read. Not an argument: those can be
 * read by everybody on the machine, and the first administrator's password is in it.
 */
export const handoverName = "CUBBY_START";
