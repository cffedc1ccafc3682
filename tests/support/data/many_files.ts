/** One of the files of a request for many: what its list says, and its bytes. */
export interface AskedFile {
  path: string;
  text: string;
  [more: string]: unknown;
}

/** The body of a request for many files: a line with their list, then their bytes. */
export function manyFilesBody(files: readonly AskedFile[]): string {
  const sized = files.map(({ text, ...file }) => ({
    size: new TextEncoder().encode(text).length,
    ...file,
  }));
  return `${JSON.stringify({ files: sized })}\n${files.map(({ text }) => text).join("")}`;
}

/** What became of each file: "200", or the code of its refusal. */
export async function receivedCodes(answer: Response): Promise<string[]> {
  const { files } = await answer.json();
  return files.map(({ status, code }: { status: number; code?: string }) => code ?? `${status}`);
}
