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

/** A PDF of a page for each line, with a link each where an address is given. */
export function papers(lines: readonly string[], links: readonly string[] = []): string {
  const annotations = links.map((uri, index) =>
    `<</Subtype/Link/Rect[40 ${150 - index * 20} 200 ${165 - index * 20}]/A<</S/URI/URI(${uri})>>>>`
  ).join("");
  const first = 4;
  const numbers = lines.map((_, index) => first + index * 2);
  const pages = lines.map((line, index) => {
    const stream = `BT /F1 24 Tf 40 100 Td (${line}) Tj ET`;
    const number = first + index * 2;
    return `${number} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents ${
      number + 1
    } 0 R
/Resources<</Font<</F1 3 0 R>>>>/Annots[${annotations}]>>endobj
${number + 1} 0 obj<</Length ${stream.length}>>stream
${stream}
endstream endobj`;
  });
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[${
    numbers.map((number) => `${number} 0 R`).join(" ")
  }]/Count ${lines.length}>>endobj
3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
${pages.join("\n")}
trailer<</Root 1 0 R>>
`;
}

/** A PDF with the word "Opened", which the password "secret" opens (AES-128). */
export const lockedPaper: Uint8Array<ArrayBuffer> = Uint8Array.fromBase64([
  "JVBERi0xLjMKJeLjz9MKMiAwIG9iago8PAovVHlwZSAvUGFnZXMKL0NvdW50IDEKL0tpZHMgWyA0IDAgUiBdCj4+CmVu",
  "ZG9iagozIDAgb2JqCjw8Ci9UeXBlIC9DYXRhbG9nCi9QYWdlcyAyIDAgUgovT3V0bGluZXMgOCAwIFIKPj4KZW5kb2Jq",
  "CjQgMCBvYmoKPDwKL0NvbnRlbnRzIDUgMCBSCi9NZWRpYUJveCBbIDAgMCAzMDAgMjAwIF0KL1Jlc291cmNlcyA8PAov",
  "Rm9udCA2IDAgUgovUHJvY1NldCBbIC9QREYgL1RleHQgL0ltYWdlQiAvSW1hZ2VDIC9JbWFnZUkgXQo+PgovUm90YXRl",
  "IDAKL1RyYW5zIDw8Cj4+Ci9UeXBlIC9QYWdlCi9QYXJlbnQgMiAwIFIKPj4KZW5kb2JqCjUgMCBvYmoKPDwKL0ZpbHRl",
  "ciBbIC9BU0NJSTg1RGVjb2RlIC9GbGF0ZURlY29kZSBdCi9MZW5ndGggMTEyCj4+CnN0cmVhbQrAP19eXh5U78a3vYIA",
  "ElqJELLQLO+v33fkvZDF2gm1mJKDLXcNFdpfy9fDI9CVw/XMsG6FHGifBkwo7FNGzBtWeiUPY7ELMJU8m3AZSkVuezHb",
  "eYO24puvfg84QbZtzzhURWXeMSycS24iRz0yIe/MCmVuZHN0cmVhbQplbmRvYmoKNiAwIG9iago8PAovRjEgNyAwIFIK",
  "Pj4KZW5kb2JqCjcgMCBvYmoKPDwKL0Jhc2VGb250IC9IZWx2ZXRpY2EKL0VuY29kaW5nIC9XaW5BbnNpRW5jb2RpbmcK",
  "L05hbWUgL0YxCi9TdWJ0eXBlIC9UeXBlMQovVHlwZSAvRm9udAo+PgplbmRvYmoKOCAwIG9iago8PAo+PgplbmRvYmoK",
  "OSAwIG9iago8PAovViA0Ci9SIDQKL0xlbmd0aCAxMjgKL1AgNDI5NDk2NzI5MgovRmlsdGVyIC9TdGFuZGFyZAovTyA8",
  "MGU1MjI5MjVhM2U0ZTg3NGMzY2ZhY2JlZjUxMWE3M2FjNGVjMmJkODY1ZGNkM2Q0NjI3NjE0OTE3YWJmZDdlND4KL1Ug",
  "PDQ3ODM5YjY4NjI1YTkxNThhYTkwODY1MzRlZTI4NTc1MjhiZjRlNWU0ZTc1OGE0MTY0MDA0ZTU2ZmZmYTAxMDg+Ci9D",
  "RiA8PAovU3RkQ0YgPDwKL0F1dGhFdmVudCAvRG9jT3BlbgovQ0ZNIC9BRVNWMgovTGVuZ3RoIDE2Cj4+Cj4+Ci9TdG1G",
  "IC9TdGRDRgovU3RyRiAvU3RkQ0YKPj4KZW5kb2JqCnhyZWYKMCAxMAowMDAwMDAwMDAxIDY1NTM1IGYgCjAwMDAwMDAw",
  "MDAgMDAwMDEgZiAKMDAwMDAwMDAxNSAwMDAwMCBuIAowMDAwMDAwMDc0IDAwMDAwIG4gCjAwMDAwMDAxMzkgMDAwMDAg",
  "biAKMDAwMDAwMDMyOCAwMDAwMCBuIAowMDAwMDAwNTMxIDAwMDAwIG4gCjAwMDAwMDA1NjIgMDAwMDAgbiAKMDAwMDAw",
  "MDY2OSAwMDAwMCBuIAowMDAwMDAwNjkwIDAwMDAwIG4gCnRyYWlsZXIKPDwKL1NpemUgMTAKL1Jvb3QgMyAwIFIKL0lE",
  "IFsgPGMxZmM4YTYyODQ1ZjQwMzlhN2U1ZmJkODY1ZTdkNDI1PiA8YzFmYzhhNjI4NDVmNDAzOWE3ZTVmYmQ4NjVlN2Q0",
  "MjU+IF0KL0VuY3J5cHQgOSAwIFIKPj4Kc3RhcnR4cmVmCjk5NwolJUVPRgo=",
].join(""));

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
