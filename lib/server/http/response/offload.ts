import type { Context } from "fresh";
import type { Offload } from "../../core/config/values.ts";
import { isTrusted } from "../../core/config/trusted_proxies.ts";
import type { State } from "../define.ts";
import { isBelow, type RealPath } from "../../core/disk/real_path.ts";
import { isWaitingThread } from "../../core/disk/waiting_thread.ts";
import { encodeName } from "../../../shared/entry_names.ts";
import { peerAddress } from "../middleware/client_address.ts";

/** The offload for one request: who sends, and the folder that it knows. */
export interface OffloadTarget {
  offload: Offload;
  /** The served folder. */
  root: string;
}

/** The longest value of the header, in characters: proxies keep 4 to 8 KiB for all headers. */
const maxValueLength = 3_000;

/** Content that is shown in the browser and cannot run, whatever other headers it comes with. */
const inert = /^(?:(?:audio|video)\/[\w.+-]+|image\/(?!svg)[\w.+-]+|application\/pdf)$/;

/**
 * The offload that applies to a request: none unless a trusted proxy asks, as anyone else would get
 * a path of the disk and no content, and none for disks that may hang, which would hang the proxy.
 */
export function offloadTarget({ state, info }: Context<State>): OffloadTarget | null {
  const { offload, root, trustedProxies } = state.cubby.config;
  if (!offload || isWaitingThread() || !isTrusted(peerAddress(info), trustedProxies)) return null;
  return { offload, root };
}

/**
 * The header by which a proxy sends a file in place of this server; null for a file that this
 * server sends itself: one whose path is too long for a header, or whose conditions the proxy would
 * evaluate once more, and otherwise.
 *
 * A page or SVG that is shown inline is never left to a proxy: one that drops the sandbox from the
 * headers, as nginx does unless told to keep it, would run the scripts in it (stored XSS).
 *
 * @param real the file, which passed the gate
 * @param isInline whether the browser shows it instead of saving it
 */
export function offloadHeader(
  { offload, root }: OffloadTarget,
  { req, real, isInline, mediaType }: {
    req: Request;
    real: RealPath;
    isInline: boolean;
    mediaType: string;
  },
): [name: string, value: string] | null {
  if (isInline && !inert.test(mediaType)) return null;
  if (!isBelow(real, root) || real === root) return null;
  if (req.headers.has("if-match") || req.headers.has("if-unmodified-since")) return null;
  const below = root === "/" ? real.slice(1) : real.slice(root.length + 1);
  const [name, value] = offload.kind === "nginx"
    ? ["x-accel-redirect", offload.prefix + percentEncoded(below)]
    : ["x-sendfile", percentEncoded(real)];
  return value.length > maxValueLength ? null : [name, value];
}

/** A path with every byte escaped that is not plain in all URLs; slashes stay. */
function percentEncoded(path: string): string {
  let text = "";
  for (const byte of encodeName(path)) {
    const sign = String.fromCharCode(byte);
    text += /[\w./~-]/.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}
