import assert from "node:assert/strict";
import { RoomSocket } from "../../../../../lib/client/screens/editor/coediting/room_socket.ts";

/** A connection that the network neither makes nor refuses. */
class Unanswered {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: Unanswered[] = [];
  readyState = Unanswered.CONNECTING;
  onclose: (() => void) | null = null;

  constructor() {
    Unanswered.all.push(this);
  }

  close(): void {}
}

/** Runs with timers that end when a test says so. */
function withoutNetwork(run: (timer: () => { ms: number; end: () => void }) => void): void {
  const { WebSocket, clearTimeout, setTimeout } = globalThis;
  let timer: { ms: number; end: () => void } | null = null;
  const set = (end: () => void, ms = 0) => {
    timer = { ms, end };
    return 1;
  };
  Object.assign(globalThis, { WebSocket: Unanswered, setTimeout: set });
  Object.assign(globalThis, { clearTimeout: () => void (timer = null) });
  try {
    run(() => timer ?? assert.fail("no timer"));
  } finally {
    Object.assign(globalThis, { WebSocket, clearTimeout, setTimeout });
    Unanswered.all = [];
  }
}

Deno.test("an attempt that the network leaves unanswered is given up, for another one", () => {
  withoutNetwork((timer) => {
    const closed: boolean[] = [];
    const socket: RoomSocket = new RoomSocket({
      address: () => "ws://127.0.0.1/",
      onOpen: () => {},
      onMessage: () => {},
      onClosed: (wasOpen) => {
        closed.push(wasOpen);
        socket.later();
      },
    });
    socket.open();
    assert.equal(timer().ms, 20_000);
    timer().end();
    assert.deepEqual(closed, [false]);
    timer().end();
    assert.equal(Unanswered.all.length, 2);
    socket.close();
  });
});

Deno.test("pauses double up to 10 seconds, and are short again once a server says when to come", () => {
  withoutNetwork((timer) => {
    let wish: number | undefined;
    const socket: RoomSocket = new RoomSocket({
      address: () => "ws://127.0.0.1/",
      onOpen: () => {},
      onMessage: () => {},
      onClosed: () => socket.later(wish),
    });
    /** The pause after an attempt that fails, at whose end there is another one. */
    const pauseAfter = (wished?: number): number => {
      wish = wished;
      Unanswered.all.at(-1)?.onclose?.();
      const { ms, end } = timer();
      end();
      return ms;
    };
    socket.open();
    for (const expected of [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
      const ms = pauseAfter();
      assert.ok(ms >= expected && ms <= 1.5 * expected, `${ms} of ${expected}`);
    }
    const ms = pauseAfter(2);
    assert.ok(ms >= 2_000 && ms <= 3_000, String(ms));
    assert.ok(pauseAfter() <= 750);
    socket.close();
  });
});
