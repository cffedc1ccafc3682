/** A Worker that exchanges two entries as fast as it can for half a second. */
const worker = self as unknown as {
  onmessage: (event: MessageEvent<[string, string, string]>) => void;
  postMessage(message: string): void;
};

worker.onmessage = ({ data: [a, b, between] }) => {
  worker.postMessage("ready");
  for (const end = performance.now() + 500; performance.now() < end;) {
    Deno.renameSync(a, between);
    Deno.renameSync(b, a);
    Deno.renameSync(between, b);
  }
  worker.postMessage("done");
};
