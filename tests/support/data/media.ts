/** Small sounds, films and papers for tests, made as they are needed. */
import type { Page } from "playwright-core";

const rate = 8000;

/** Silence as a wave file: 8,000 samples a second, of eight bits. */
export function silence(seconds = 1): Uint8Array<ArrayBuffer> {
  const samples = rate * seconds;
  const wave = new DataView(new ArrayBuffer(44 + samples));
  const text = (at: number, letters: string) => {
    for (const [index, letter] of [...letters].entries()) {
      wave.setUint8(at + index, letter.charCodeAt(0));
    }
  };
  text(0, "RIFF");
  wave.setUint32(4, 36 + samples, true);
  text(8, "WAVEfmt ");
  wave.setUint32(16, 16, true);
  wave.setUint16(20, 1, true);
  wave.setUint16(22, 1, true);
  wave.setUint32(24, rate, true);
  wave.setUint32(28, rate, true);
  wave.setUint16(32, 1, true);
  wave.setUint16(34, 8, true);
  text(36, "data");
  wave.setUint32(40, samples, true);
  return new Uint8Array(wave.buffer, 0, 44 + samples).fill(0x80, 44);
}

/** A PDF of one page with a line of plain ASCII on it. */
export function paper(line: string, { height = 200, drawn = "" } = {}): string {
  const stream = `BT /F1 24 Tf 40 100 Td (${line}) Tj ET ${drawn}`;
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 ${height}]/Contents 4 0 R
/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${stream.length}>>stream
${stream}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
`;
}

/** A film (WebM) that the browser itself records: a square that moves for about a second. */
export async function film(page: Page): Promise<Uint8Array> {
  const bytes = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 160, height: 90 });
    const brush = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: "video/webm" });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const stopped = new Promise((resolve) => recorder.onstop = resolve);
    recorder.start();
    for (let step = 0; step < 20; step++) {
      if (brush) brush.fillStyle = `hsl(${step * 18} 60% 50%)`;
      brush?.fillRect(0, 0, 160, 90);
      brush?.clearRect(step * 7, 35, 20, 20);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    recorder.stop();
    await stopped;
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
  });
  return Uint8Array.from(bytes);
}
