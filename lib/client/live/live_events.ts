/** What the server tells those who watch a folder. */
export type LiveEvent =
  /** The watch stands; when the folder was modified, as its resource says it. */
  | { kind: "ready"; modified: string }
  | { kind: "changed" };

/** Reads server-sent events as they come; ends, or throws, when the connection does. */
export async function* liveEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

function eventOf(block: string): LiveEvent | null {
  const kind = /^event: (.*)$/m.exec(block)?.[1];
  if (kind === "changed") return { kind };
  if (kind !== "ready") return null;
  const { modified } = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "{}");
  return { kind, modified: String(modified) };
}
