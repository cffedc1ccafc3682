import assert from "node:assert/strict";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { failure, success } from "../../../../../lib/shared/result.ts";
import { Shell, ShellHistory } from "../../../../../lib/client/screens/terminal/shell.ts";
import {
  type CommandApi,
  type CommandEnd,
  runCommand,
} from "../../../../../lib/client/screens/terminal/shell_command.ts";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { until } from "../../support.ts";

const photos = parsePath("/photos").path;

/** A server that does so with the first message of each socket, and a client that speaks to it. */
interface Spoken extends AsyncDisposable {
  api: CommandApi;
  /** The paths and tickets that sockets were opened with. */
  asked: string[];
}

function speakTo(take: ((socket: WebSocket, line: string) => void) | "refuses"): Spoken {
  const asked: string[] = [];
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const server = Deno.serve(options, (request) => {
    if (take === "refuses") return new Response("no", { status: 403 });
    asked.push(new URL(request.url).pathname + new URL(request.url).search);
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => take(socket, data);
    return response;
  });
  const api: CommandApi = {
    ticket: (at, use) => Promise.resolve(success(`${use}${at}`)),
    commandAddress: (at, ticket) =>
      `ws://127.0.0.1:${server.addr.port}${at}?auth=${encodeURIComponent(ticket)}`,
    tryCommand: () => Promise.resolve(failure(403, "forbidden", "Cannot run commands")),
  };
  return { api, asked, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function run(
  api: CommandApi,
  signal = new AbortController().signal,
): Promise<{ end: CommandEnd; lines: string[] }> {
  const lines: string[] = [];
  const onLine = (text: string) => lines.push(text);
  return { end: await runCommand(api, { at: photos, line: "ls", onLine, signal }), lines };
}

Deno.test("a command's lines come one by one, then its exit status", async () => {
  await using spoken = speakTo((socket, line) => {
    for (const text of [line, "", "done"]) socket.send(text);
    socket.close(1000, "5");
  });
  const { end, lines } = await run(spoken.api);
  assert.deepEqual(lines, ["ls", "", "done"]);
  assert.deepEqual(end, { is: "exited", status: 5 });
  assert.deepEqual(spoken.asked, ["/photos?auth=command%2Fphotos"]);
});

Deno.test("how the server closes tells a refusal, an ended session and a failure apart", async () => {
  const endOf = async (code: number, reason: string) => {
    await using spoken = speakTo((socket) => socket.close(code, reason));
    return (await run(spoken.api)).end;
  };
  assert.deepEqual(await endOf(1008, "refused"), { is: "refused" });
  assert.deepEqual(await endOf(1008, "session ended"), { is: "session" });
  assert.deepEqual(await endOf(3000, ""), { is: "broken" });
  const failed = await endOf(1011, "failed");
  assert.equal(failed.is === "failed" && failed.why.code, "internal");
});

Deno.test("a socket that is refused is explained by the same address, asked plainly", async () => {
  await using spoken = speakTo("refuses");
  const { end } = await run(spoken.api);
  assert.equal(end.is === "failed" && end.why.code, "forbidden");
  const silent = { ...spoken.api, tryCommand: () => Promise.resolve(success(undefined)) };
  const offline = (await run(silent)).end;
  assert.equal(offline.is === "failed" && offline.why.code, "offline");
});

Deno.test("without a ticket no socket is opened", async () => {
  await using spoken = speakTo(() => {});
  const refused = failure(401, "not_signed_in", "Cannot answer");
  const api = { ...spoken.api, ticket: () => Promise.resolve(refused) };
  assert.deepEqual((await run(api)).end, { is: "failed", why: refused });
  assert.deepEqual(spoken.asked, []);
});

Deno.test("a command that is stopped hangs up, and no line comes any more", async () => {
  let closed = false;
  await using spoken = speakTo((socket) => {
    socket.onclose = () => {
      closed = true;
    };
    socket.send("working");
  });
  const stop = new AbortController();
  const lines: string[] = [];
  const onLine = (text: string) => {
    lines.push(text);
    stop.abort();
  };
  const command = { at: photos, line: "sleep 9", onLine, signal: stop.signal };
  assert.deepEqual(await runCommand(spoken.api, command), { is: "stopped" });
  assert.deepEqual(lines, ["working"]);
  await until(() => closed);
});

Deno.test("a shell takes one command at a time, and answers clear and exit itself", async () => {
  let typed: WebSocket | undefined;
  await using spoken = speakTo((socket) => {
    typed = socket;
  });
  const told: string[] = [];
  const shell = new Shell({
    api: spoken.api,
    history: new ShellHistory(memoryStorage(), 1),
    folder: () => photos,
    onEnd: () => told.push("end"),
    onExit: () => told.push("exit"),
  });
  const running = shell.enter("  make  ");
  await until(() => typed !== undefined);
  assert.equal(shell.running.value, true);
  assert.equal(await shell.enter("ls"), false);
  typed?.close(1000, "0");
  assert.equal(await running, true);
  assert.equal(shell.running.value, false);
  const [line] = shell.screen.blocks.value[0]?.lines ?? [];
  assert.ok(line?.kind === "prompt");
  assert.deepEqual([line.folder, line.text, line.end.value], [
    "photos",
    "make",
    { is: "exited", status: 0 },
  ]);

  await shell.enter("clear");
  assert.deepEqual(shell.screen.blocks.value, []);
  await shell.enter("exit");
  assert.deepEqual(told, ["end", "exit"]);
  assert.equal(spoken.asked.length, 1);
  assert.equal(shell.history.back(""), "exit");
});
