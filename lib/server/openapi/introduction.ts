/** The description of the document, in CommonMark: rules for every call. */
export const introduction = `
Every call that wants to know who is asking takes the token of \`POST /api/login\` in the header
\`X-Auth\`. On GET and HEAD the cookie \`auth\` does as well, and where an address can carry neither, a
ticket in \`?auth=\`. A server started with \`--noauth\`, or behind a proxy that names the user, vouches
for its users itself and asks for no token; behind such a proxy tokens, cookies and tickets count only
together with its word for the same user.

**Paths.** Where an address ends with \`{path}\`, the whole path of an entry stands there: its slashes
stay, each segment between them is percent-encoded once. An encoded slash, a NUL, a bad escape and a
\`.\` or \`..\` segment are 400; runs of slashes count as one.

**Errors.** A refusal is one sentence of plain text or, for a request that accepts \`application/json\`
by name, an object with a stable \`code\` and the sentence as \`message\`. What a user may not reach is
403, the same whether or not anything is there. A failure of the server is 500 with the code
\`internal\` on any call; it tells nothing of what failed. Where the records are in a store on the
network, any call is 503 with the code \`busy\` while that is away.

**Methods.** Wherever there is GET there is HEAD, with the same headers and no body. OPTIONS answers
204, any other method 405, both with the methods in \`Allow\`. An unknown address below \`/api/\` is 404.

**Caches.** Every answer is \`Cache-Control: no-store\` unless its own headers below say otherwise.
`.trim();
