/** Somebody who has a folder open and is told of its changes. */
export interface Watching extends AsyncDisposable {
  /** The next event: "ready", "changed"; null once the server has ended the stream. */
  next(): Promise<string | null>;
  /** The data of the event that came last. */
  readonly data: unknown;
  /** Whether no event comes for that long, in milliseconds. */
  isSilent(ms: number): Promise<boolean>;
  /** Goes away. */
  leave(): Promise<void>;
}

/** Follows an answer of server-sent events. */
export function follow(answer: Response): Watching {
  if (!answer.body) throw new Error("Cannot follow the events: the answer has no body");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let coming: Promise<string | null> | undefined;
  let data: unknown;

  async function read(): Promise<string | null> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end !== -1) {
        const block = text.slice(0, end);
        const [, event] = /^event: (\w+)$/m.exec(block) ?? [];
        data = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null");
        text = text.slice(end + 2);
        if (event !== undefined) return event;
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      text += value;
    }
  }
  const peek = () => coming ??= read();
  const leave = async () => {
    await reader.cancel().catch(() => {});
    await coming?.catch(() => {});
  };

  return {
    get data() {
      return data;
    },
    async next() {
      const event = await peek();
      coming = undefined;
      return event;
    },
    async isSilent(ms) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<true>((resolve) => {
        timer = setTimeout(() => resolve(true), ms);
      });
      const isSilent = await Promise.race([silence, peek().then(() => false)]);
      clearTimeout(timer);
      return isSilent;
    },
    leave,
    [Symbol.asyncDispose]: leave,
  };
}
