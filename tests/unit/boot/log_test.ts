import assert from "node:assert/strict";
import {
  type LoggedRequest,
  type LogSink,
  openLog,
  requestLine,
  requestObject,
} from "../../../lib/server/core/log/log.ts";
import { character, fc } from "../../support/run/property.ts";

const request: LoggedRequest = {
  status: 200,
  ms: 1.25,
  method: "GET",
  path: "/api/usage/",
  user: "alice",
  address: "127.0.0.1",
};
const time = new Date("2026-01-31T12:00:00Z");

/** A sink that keeps what is written, in the pieces in which it comes, and takes half at a time. */
function memorySink(): LogSink & { pieces: string[]; text(): string } {
  const pieces: string[] = [];
  const decoder = new TextDecoder();
  const writeSync = (bytes: Uint8Array) => {
    const taken = Math.ceil(bytes.length / 2);
    pieces.push(decoder.decode(bytes.subarray(0, taken), { stream: true }));
    return taken;
  };
  return {
    pieces,
    writeSync,
    write: (bytes) => Promise.resolve(writeSync(bytes)),
    text: () => pieces.join(""),
  };
}

Deno.test("log forging: no name makes a second line or moves the terminal's cursor", () => {
  const text = fc.string({ unit: character });
  fc.assert(fc.property(text, text, text, (path, user, address) => {
    const line = requestLine({ ...request, path, user, address }, time);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(line, /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/);
    assert.equal(line.split(" ")[0], "2026-01-31T12:00:00.000Z");
  }));
});

Deno.test("log forging: a user name with spaces or a dash stays in its column", () => {
  assert.match(requestLine({ ...request, user: "bob 200" }, time), / "bob 200" 127\.0\.0\.1$/);
  assert.match(requestLine({ ...request, user: "-" }, time), / "-" 127\.0\.0\.1$/);
  assert.match(requestLine({ ...request, user: "" }, time), / "" 127\.0\.0\.1$/);
});

Deno.test("requestLine() does not tell the hash of a share, which opens it", () => {
  const hash = "k3Jd9s0QpLmZx7Yw2VbN4A";
  for (const path of [`/share/${hash}`, `/base/api/public/dl/${hash}/a.txt`]) {
    const line = requestLine({ ...request, path }, time);
    assert(!line.includes(hash.slice(4)), line);
    assert(line.includes(path.slice(path.indexOf("k3Jd") - 6, path.indexOf("k3Jd") + 4)), line);
  }
});

Deno.test("requestLine() has one column each", () => {
  const line = "2026-01-31T12:00:00.000Z 200 1.3ms GET /api/usage/ alice 127.0.0.1";
  assert.equal(requestLine(request, time), line);
  assert.match(requestLine({ ...request, user: undefined }, time), / - 127\.0\.0\.1$/);
});

Deno.test("a log gathers lines into whole pieces of at most 4 KiB", async () => {
  const sink = memorySink();
  const log = openLog("text", { ...sink, write: takeAll(sink.pieces) });
  for (let count = 0; count < 200; count++) log.request(request);
  assert.equal(sink.pieces.length, 0);
  await new Promise((resolve) => setTimeout(resolve, 150));
  log.close();
  assert.equal(sink.text().trim().split("\n").length, 200);
  assert(sink.pieces.length < 10);
  for (const piece of sink.pieces) assert(piece.length <= 4096 && piece.endsWith("\n"));
});

Deno.test("a log measures its pieces in bytes, whatever the lines are written in", async () => {
  const sink = memorySink();
  const sizes: number[] = [];
  const write = (bytes: Uint8Array) => {
    sizes.push(bytes.length);
    return takeAll(sink.pieces)(bytes);
  };
  const log = openLog("text", { ...sink, write });
  for (let count = 0; count < 100; count++) {
    log.request({ ...request, user: count % 3 === 0 ? "日".repeat(count) : "alice" });
  }
  log.request({ ...request, user: "日".repeat(2000) });
  log.request(request);
  await new Promise((resolve) => setTimeout(resolve, 150));
  log.close();
  assert.equal(sink.text().trim().split("\n").length, 102);
  const alone = sizes.filter((size) => size > 4096);
  assert.equal(alone.length, 1);
  for (const piece of sink.pieces) assert(piece.endsWith("\n"));
  assert.equal(
    sink.pieces.find((piece) => piece.length > 2000 && /日{2000}/.test(piece))?.match(/\n/g)
      ?.length,
    1,
  );
});

function takeAll(pieces: string[]): LogSink["write"] {
  return (bytes) => {
    pieces.push(new TextDecoder().decode(bytes));
    return Promise.resolve(bytes.length);
  };
}

Deno.test("a log keeps the order of lines, and writes the last ones when it is closed", () => {
  const sink = memorySink();
  const log = openLog("text", sink);
  log.line("first\nline");
  log.request(request);
  log.line("ünïcode");
  log.close();
  log.line("after the end");
  const lines = sink.text().split("\n");
  assert.equal(lines[0], "first\\u000aline");
  assert.match(lines[1] ?? "", / GET \/api\/usage\/ /);
  assert.deepEqual(lines.slice(2), ["ünïcode", "after the end", ""]);
});

Deno.test("a log whose reader is gone does not stop the server", () => {
  const gone = () => {
    throw new Deno.errors.BrokenPipe("gone");
  };
  const log = openLog("text", { write: gone, writeSync: gone });
  log.line("nobody reads this");
  log.close();
});

Deno.test("log forging: as JSON a request is one object in one line, whatever is in it", () => {
  const text = fc.string({ unit: character });
  fc.assert(fc.property(text, text, text, (path, user, address) => {
    const line = requestObject({ ...request, path: `/x/${path}`, user, address }, time);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(line, /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    assert.deepEqual(JSON.parse(line), {
      ...{ time: "2026-01-31T12:00:00.000Z", level: "info", event: "request" },
      ...{ status: 200, ms: 1.3, method: "GET", path: `/x/${path}`, user, address },
    });
  }));
});

Deno.test("requestObject() hides what requestLine() hides, and leaves out who is not known", () => {
  const path = "/share/k3Jd9s0QpLmZx7Yw2VbN4A";
  const line = requestObject({ ...request, path, user: undefined, status: 503 }, time);
  const told = JSON.parse(line);
  assert.deepEqual([told.path, "user" in told, told.level], ["/share/k3Jd*", false, "error"]);
});

Deno.test("openLog() writes sentences as JSON, too", () => {
  const sink = memorySink();
  const log = openLog("json", sink);
  log.line("a\n\u001b[2Jb");
  log.line("Failed", "error");
  log.request(request);
  log.close();
  const told = sink.text().trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(told.map(({ level, message, event }) => [level, message ?? event]), [
    ["info", "a\n\u001b[2Jb"],
    ["error", "Failed"],
    ["info", "request"],
  ]);
});
