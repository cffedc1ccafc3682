import { findProgram } from "../../../commands/find_program.ts";
import type { Config } from "../../../../core/config/config.ts";
import type { VideoEncoder } from "../../../../core/config/server_options.ts";
import { isOpenToReaders } from "../../../../core/sandbox/reader_domain.ts";
import type { FoundPrograms } from "./protocol.ts";
import { programNames } from "./recipes.ts";

/** The search path: no folder that users can write to. */
const searchPath = "/usr/local/bin:/usr/bin:/bin";

/** Finds the programs that are installed; none on systems without the sandbox for them. */
export function findPrograms(): FoundPrograms {
  if (Deno.build.os !== "linux") return {};
  const found = programNames.map((name) => [name, findProgram(name, searchPath)] as const);
  return Object.fromEntries(
    found.filter(([, path]) => path !== null).map(([name, path]) => [
      name,
      programOf(Deno.realPathSync(path ?? "")),
    ]),
  );
}

/** Why the server does not start with an encoder: FFmpeg lacks it; null where it has it. */
export function refusalOfEncoder(
  encoder: VideoEncoder,
  { ffmpeg }: FoundPrograms,
): string | null {
  if (encoder === "libx264" || ffmpeg === undefined) return null;
  const { stdout } = new Deno.Command(ffmpeg, {
    ...{ args: ["-hide_banner", "-encoders"], clearEnv: true, stdin: "null", stderr: "null" },
  }).outputSync();
  // A line each: " V....D h264_vaapi   H.264/AVC (VAAPI) (codec h264)".
  const lines = new TextDecoder().decode(stdout).split("\n");
  if (lines.some((line) => line.trim().split(/\s+/)[1] === encoder)) return null;
  return `Cannot use --video-encoder "${encoder}": ${ffmpeg} does not have it; ` +
    "`ffmpeg -encoders` lists what it has";
}

/** The program itself where its command is a script beside it, as of LibreOffice: it starts others. */
function programOf(command: string): string {
  const beside = `${command}.bin`;
  try {
    return Deno.statSync(beside).isFile ? beside : command;
  } catch {
    return command;
  }
}

/**
 * Whether programs may be run for a configuration: not where previews are off, and not where files
 * of users or of the server lie among the system's programs, which the sandbox leaves readable.
 */
export function mayRunPrograms(
  config: Pick<
    Config,
    "root" | "reserved" | "disableMediaPrograms" | "disableThumbnails" | "disablePreviewResize"
  >,
): boolean {
  if (config.disableMediaPrograms) return false;
  if (config.disableThumbnails && config.disablePreviewResize) return false;
  return ![config.root, ...config.reserved].some(isOpenToReaders);
}
