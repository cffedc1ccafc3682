/**
 * A Worker that exchanges two entries back and forth as fast as it can for half a second, and rests
 * now and then, so that some of what others do succeeds. When a folder is made in place of the one
 * that is away, it is put aside.
 */
const worker = self as unknown as {
  onmessage: (event: MessageEvent<[string, string, string]>) => void;
  postMessage(message: string): void;
};

const clock = new Int32Array(new SharedArrayBuffer(4));
let aside = 0;
let exchanges = 0;

worker.onmessage = ({ data: [a, b, between] }) => {
  worker.postMessage("ready");
  for (const end = performance.now() + 500; performance.now() < end;) {
    Deno.renameSync(a, between);
    move(b, a, between);
    move(between, b, between);
    if (++exchanges % 16 === 0) Atomics.wait(clock, 0, 0, Math.random() * 8);
  }
  worker.postMessage("done");
};

function move(from: string, to: string, between: string): void {
  for (let attempt = 0;; attempt++) {
    try {
      return Deno.renameSync(from, to);
    } catch (error) {
      if (attempt === 100) throw error;
      putAside(to, between);
    }
  }
}

function putAside(path: string, between: string): void {
  try {
    Deno.renameSync(path, `${between} ${++aside}`);
  } catch {
    // It is gone by itself.
  }
}
