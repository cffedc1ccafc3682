import type { Context } from "fresh";
import { includesRight } from "../../../shared/schemas/choices/choices.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { windowsLimits } from "../../../shared/windows_names.ts";
import { checksumAlgorithms } from "../../features/dav/file_checksums.ts";
import { shareBits } from "../../features/dav/permission_letters.ts";
import type { State } from "../define.ts";
import { publicAddress } from "../middleware/client_address.ts";
import { accessFor } from "../request/access_for.ts";
import { readBranding } from "../pages/branding_files.ts";
import type { OcsData } from "./ocs_answer.ts";

/**
 * The release of Nextcloud's server whose clients this server takes for its own: they decide by it
 * what they ask. The tests with real clients hold for it.
 */
const release = { major: 31, minor: 0, micro: 9 };

/** The number of a release within the last part of its version. */
const build = 1;

/** The accent of our own pages in light colours, for a site without a colour of its own. */
const accent = "#14664a";

/** How often desktop clients look for changes, in seconds. */
const pollSeconds = 60;

/** The state of the server, as clients ask before they sign in. */
export async function serverStatus({ state }: Pick<Context<State>, "state">) {
  const { branding } = await state.cubby.settings.get();
  return statusNow(branding);
}

function statusNow({ name }: Pick<Settings["branding"], "name">) {
  const versionstring = Object.values(release).join(".");
  return {
    installed: true,
    maintenance: false,
    needsDbUpgrade: false,
    version: `${versionstring}.${build}`,
    versionstring,
    edition: "",
    productname: name || "Cubby",
    extendedSupport: false,
  };
}

/**
 * What clients may ask of the server. Only what is there is named: clients ask for nothing else.
 * Without a sign-in the answer has the release and the looks alone.
 */
export async function capabilitiesFor(ctx: Context<State>) {
  const settings = ctx.state.signedIn?.settings ?? await ctx.state.cubby.settings.get();
  const { versionstring: string } = statusNow(settings.branding);
  const capabilities: Record<string, OcsData> = { theming: themingOf(ctx, settings) };
  const { windowsNames } = ctx.state.cubby.config;
  if (ctx.state.signedIn) {
    const access = accessFor(ctx);
    const mayShare = access.may("share") && access.may("download");
    const sendsBulks = maySendBulks(ctx.req.headers.get("user-agent") ?? "");
    Object.assign(capabilities, abilitiesOf(settings, { windowsNames, mayShare, sendsBulks }));
  }
  return { version: { ...release, string, edition: "", extendedSupport: false }, capabilities };
}

/**
 * Whether a client may send many files in one request. Desktop clients before 3.9.1 break such a
 * request off where one of the files is empty (nextcloud/desktop#5824): none of its files arrives,
 * and `nextcloudcmd` tries the same again with each run.
 */
function maySendBulks(agent: string): boolean {
  const [, major, minor, micro] = /\bmirall\/(\d+)\.(\d+)\.(\d+)/.exec(agent) ?? [];
  const version = [major, minor, micro].reduce((sum, part) => sum * 1_000 + Number(part), 0);
  return major === undefined || version >= 3_009_001;
}

/** What {@linkcode abilitiesOf} needs to know besides the settings. */
interface Circumstances {
  windowsNames: boolean;
  mayShare: boolean;
  sendsBulks: boolean;
}

/** The abilities that signed-in clients are told, in the one place for all of them. */
function abilitiesOf(
  { branding, maxLinkRight, minimumPasswordLength, trash }: Settings,
  { windowsNames, mayShare, sendsBulks }: Circumstances,
): Record<string, OcsData> {
  return {
    core: {
      pollinterval: pollSeconds,
      "webdav-root": "remote.php/webdav",
      status: statusNow(branding),
    },
    dav: { chunking: "1.0", ...sendsBulks && { bulkupload: "1.0" } },
    files: {
      bigfilechunking: true,
      undelete: true,
      versioning: trash.versions,
      ...windowsNames && refusedNames,
    },
    checksums: { supportedTypes: checksumAlgorithms, preferredUploadType: "SHA1" },
    files_sharing: mayShare ? sharingUpTo(maxLinkRight) : noSharing,
    password_policy: {
      minLength: minimumPasswordLength,
      enforceNonCommonPassword: true,
      enforceNumericCharacters: false,
      enforceSpecialCharacters: false,
      enforceUpperLowerCase: false,
    },
  };
}

/** Without these words clients take sharing for switched on. */
const noSharing = { api_enabled: false, public: { enabled: false }, resharing: false };

const isOff = { enabled: false };
const mayExpire = { enabled: true, enforced: false };

/**
 * What clients may do with shares. A link for anybody can give as much as a share with a user, but
 * not uploads alone, and nobody passes on what others share. Clients begin with the default permissions: to read, and to share the entry.
 */
const sharingUpTo = (maxLinkRight: Settings["maxLinkRight"]) => ({
  api_enabled: true,
  resharing: false,
  group_sharing: true,
  default_permissions: shareBits.read + shareBits.share,
  public: {
    enabled: true,
    multiple_links: true,
    // Clients offer to edit with it, and to upload.
    upload: includesRight(maxLinkRight, "edit"),
    upload_files_drop: false,
    supports_upload_only: false,
    send_mail: false,
    password: { enforced: false, askForOptionalPassword: false },
    expire_date: mayExpire,
    expire_date_internal: mayExpire,
    expire_date_remote: isOff,
  },
  user: { send_mail: false, expire_date: mayExpire },
  group: { enabled: true, expire_date: mayExpire },
  federation: { outgoing: false, incoming: false },
  sharebymail: isOff,
  sharee: { query_lookup_default: false, always_show_unique: true },
});

/** Names that `--windows-names` refuses, so that clients tell people before they upload. */
const refusedNames = {
  forbidden_filenames: [],
  forbidden_filename_basenames: windowsLimits.devices,
  forbidden_filename_characters: windowsLimits.signs,
  forbidden_filename_extensions: windowsLimits.ends,
};

/** The name and the colours in which clients dress themselves. */
function themingOf(ctx: Context<State>, { branding }: Settings): Record<string, OcsData> {
  const { name, color: own, files } = branding;
  const color = wholeColor(own) ?? accent;
  const file = readBranding(files, "logo");
  const logo = file ? `/branding/logo?v=${file.version}` : "/icons/icon-512.png";
  const text = textOn(color);
  return {
    name: name || "Cubby",
    url: publicAddress(ctx, "/"),
    slogan: "",
    color,
    "color-text": text,
    "color-element": color,
    "color-element-bright": color,
    "color-element-dark": color,
    logo: publicAddress(ctx, logo),
    background: color,
    "background-plain": true,
    "background-default": true,
  };
}

/** A colour with six digits; null for none. */
function wholeColor(color: string): string | null {
  const [, digits = ""] = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(color) ?? [];
  if (digits === "") return null;
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`.toLowerCase();
}

/** Black or white, whichever is easier to read on a colour (WCAG 2.2, relative luminance). */
function textOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  // At this luminance both have the same contrast.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}
