/** The programs that make previews of videos and PDF: what tests of these need. */
import { ensurePrograms } from "../run/debian.ts";

/** Sees to it that they are there. @throws Error that says in one line what to install */
export async function ensureMediaPrograms(): Promise<void> {
  await ensurePrograms({ ffmpeg: "ffmpeg", pdftoppm: "poppler-utils" }, "previews");
}
