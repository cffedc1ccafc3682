/** Commands typed over a WebSocket, as a client types them, and what is left of them. */

/** What came back for one command. */
export interface TypedOutcome {
  lines: string[];
  /** Of the close frame. */
  code: number;
  reason: string;
}

/** A command under way. */
export interface TypedCommand {
  /** Waits for a line that matches, among those that came and those that will. */
  line(expected: RegExp): Promise<string>;
  /** Hangs up. */
  hangUp(): Promise<void>;
  outcome: Promise<TypedOutcome>;
}

/** How to reach the socket. */
export interface TypedOptions {
  /** Where the server listens: `http://127.0.0.1:49152`. */
  url: string;
  /** Sent in `X-Auth`, as native clients do. */
  token?: string;
  /** Sent as `?auth=`, as browsers do. */
  ticket?: string;
  /** Sent besides. */
  headers?: Record<string, string>;
  /** The folder, encoded; the root unless given. */
  path?: string;
  /** More messages than the line itself, sent at once after it. */
  more?: string[];
}

/** Deno's own WebSocket, which can send headers; the browser's, whose type is known, cannot. */
export const HeaderSocket = WebSocket as unknown as {
  new (url: string, options: { headers: Record<string, string> }): WebSocket;
};

/** Opens a socket and sends a line. */
export function typeCommand(line: string, options: TypedOptions): TypedCommand {
  const { url, token, ticket, path = "/", more = [] } = options;
  const query = ticket === undefined ? "" : `?auth=${ticket}`;
  const headers = { ...options.headers, ...(token === undefined ? {} : { "x-auth": token }) };
  const address = `${url.replace(/^http/, "ws")}/api/command${path}${query}`;
  const socket = new HeaderSocket(address, { headers });
  // A close event follows.
  socket.onerror = (event) => event.preventDefault();
  const lines: string[] = [];
  let look = () => {};
  const { promise: outcome, resolve } = Promise.withResolvers<TypedOutcome>();
  socket.onopen = () => [line, ...more].forEach((message) => socket.send(message));
  socket.onmessage = ({ data }) => {
    lines.push(String(data));
    look();
  };
  socket.onclose = ({ code, reason }) => {
    resolve({ lines, code, reason });
    look();
  };
  return {
    outcome,
    line(expected) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      look = () => {
        const found = lines.find((each) => expected.test(each));
        if (found !== undefined) resolve(found);
        else if (socket.readyState === WebSocket.CLOSED) {
          reject(new Error(`The command ended without such a line: ${lines.join("\n")}`));
        }
      };
      look();
      return promise;
    },
    async hangUp() {
      socket.close();
      await outcome;
    },
  };
}

/** Types a command and waits for its end. */
export function runCommand(line: string, options: TypedOptions): Promise<TypedOutcome> {
  return typeCommand(line, options).outcome;
}
