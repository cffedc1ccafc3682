import { disposition } from "./disposition.ts";

const encoder = new TextEncoder();

/** Lines that are sent together. */
const linesPerBatch = 200;

/** Answers with a file of lines that are made while it is sent, only as fast as the client takes them. */
export function linesAnswer(
  lines: AsyncGenerator<string>,
  { type, name }: { type: string; name: string },
): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = "";
      for (let count = 0; count < linesPerBatch; count++) {
        const { done, value } = await lines.next();
        if (done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          return controller.close();
        }
        text += `${value}\n`;
      }
      controller.enqueue(encoder.encode(text));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  const headers = { "content-type": type, "content-disposition": disposition("attachment", name) };
  return new Response(body, { headers });
}
