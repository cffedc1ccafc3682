import { DomainError } from "../../../shared/errors.ts";
import type { OpenFile } from "../../core/disk/disk.ts";
import type { ReaderHost } from "../../core/config/config.ts";
import { Programs } from "../previews/media/programs/programs.ts";
import type { PdfReader } from "./file_text.ts";

/**
 * Reads PDF files with poppler's pdftotext, which runs in a sandbox of its own on one open file,
 * with limits of time, memory and output: what it has written until then counts.
 *
 * @param host runs the program; null without a launcher, as in development
 * @param signal ends what runs
 * @returns null where the program may not or cannot run
 */
export function pdfReaderOf(host: ReaderHost | null, signal: AbortSignal): PdfReader | null {
  if (!host) return null;
  const programs = new Programs({
    ...{ root: "", reserved: [], disableMediaPrograms: false },
    ...{ disableThumbnails: true, disablePreviewResize: true },
    readerHost: host,
    launched: true,
  });
  if (!programs.can("pdfText")) return null;
  const textOf = async (file: OpenFile) => {
    try {
      return (await programs.run("pdfText", file, signal)).output;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError) throw error;
      throw new DomainError("internal", "Cannot read a PDF file: the program broke off");
    }
  };
  return async (handle, maxCharacters) => {
    using file = handle.openSync();
    const output = await textOf(file);
    const text = new TextDecoder().decode(output).slice(0, maxCharacters).toWellFormed();
    return text.trim() === "" || text.includes("\0") ? null : text;
  };
}
