/** A host in place of the one that runs LibreOffice: the same messages, and no program. */
import { join } from "node:path";
import {
  jsonOf,
  readFrames,
  sendFrame,
  sendJson,
} from "../../../lib/server/features/commands/frames.ts";
import type { ProgramEnd } from "../../../lib/server/features/commands/protocol.ts";
import type { ReadRequest } from "../../../lib/server/features/previews/media/programs/protocol.ts";
import { temporaryFolder } from "../disks/files.ts";

/** What a program printed, and how it ended. */
export interface ProgramReply {
  output: string;
  end: ProgramEnd;
}

/** A host that answers as a test says. */
export interface ProgramHost extends AsyncDisposable {
  /** For the configuration. */
  readerHost: { socket: string; programs: { soffice: string }; refusal: null };
  /** What it was asked for. */
  runs: ReadRequest[];
  /** How it answers from now on; later, or never, as the promise says. */
  next: ProgramReply | Promise<ProgramReply>;
  /** The programs that were given up before their end. */
  abandoned: number;
}

/** A program that never ends. */
export const never = new Promise<ProgramReply>(() => {});

/** Starts one. @param next how it answers at first */
export async function startProgramHost(next: ProgramReply): Promise<ProgramHost> {
  const folder = await temporaryFolder();
  const socket = join(folder.path, "media.sock");
  const listener = Deno.listen({ transport: "unix", path: socket });
  const open = new Set<Promise<void>>();
  const serving = (async () => {
    for await (const connection of listener) {
      const served = serve(connection).finally(() => open.delete(served));
      open.add(served);
    }
  })();
  const host: ProgramHost = {
    readerHost: { socket, programs: { soffice: "/usr/bin/soffice" }, refusal: null },
    ...{ runs: [], next, abandoned: 0 },
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
      await Promise.all(open);
      await folder[Symbol.asyncDispose]();
    },
  };

  async function serve(connection: Deno.Conn): Promise<void> {
    const frames = readFrames(connection);
    try {
      const { value: frame } = await frames.next();
      if (!frame) return;
      host.runs.push(jsonOf<ReadRequest>(frame));
      const gone = frames.next().catch(() => {}).then(() => null);
      const reply = await Promise.race([host.next, gone]);
      if (reply === null) return void host.abandoned++;
      await sendFrame(connection, "output", new TextEncoder().encode(reply.output));
      await sendJson(connection, "end", reply.end);
      await connection.closeWrite();
      await gone;
    } finally {
      connection.close();
    }
  }
  return host;
}
