/** The description of the document, in CommonMark: rules for every call. */
export const introduction = `
**Sign-in.** Send the token of \`POST /api/login\` in the header \`X-Auth\`. The cookie \`auth\` is accepted
on GET and HEAD only, so another site cannot make a browser change anything. Where an address can carry
neither, such as a link, a player or a WebSocket, put a ticket in \`?auth=\`. A server that was started
with \`--noauth\`, or behind a proxy that names the user, vouches for its users itself and needs no token.
Behind such a proxy, tokens, cookies and tickets are valid only together with the proxy's header for the
same user.

**Paths.** Where an address ends with \`{path}\`, put the whole path of an entry, relative to the user's
scope: keep its slashes and percent-encode each segment between them once. The root is the empty path; a
slash at the end means a folder. An encoded slash, a NUL, a bad escape and a \`.\` or \`..\` segment are 400;
repeated slashes count as one; a backslash is an ordinary character. Paths in answers are not encoded.

**Errors.** A refusal is one sentence of plain text. For a request that accepts \`application/json\` by
name, it is an object with a stable \`code\` and the sentence as \`message\`. An entry that the user may not
reach is 403, whether or not it exists. A failure of the server is 500 with the code \`internal\`, on any
call, and reveals no details. If the records are in a store on the network and that is unavailable, any
call is 503 with the code \`busy\`.

**Methods.** Each call by GET also answers HEAD, with the same headers and no body. OPTIONS is answered
with 204, any other method with 405; both have the methods in \`Allow\`. No other site is granted access
(CORS). An unknown address below \`/api/\` is 404.

**Caches.** Every answer is \`Cache-Control: no-store\` unless its own headers say otherwise.
`.trim();
