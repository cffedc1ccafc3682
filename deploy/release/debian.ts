/** A Debian package of the program: with a unit, an account, a conffile, and a clean removal. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { appFolder } from "../../lib/server/core/config/app_folder.ts";
import { helpText } from "../../lib/server/core/config/help.ts";
import { StartRefusal } from "../../lib/server/core/config/refusal.ts";
import { ar, bytesOf, type Entry, gzip, tar } from "./archive.ts";

/** What is to know of a release. */
export interface Release {
  version: string;
  /** The commit that it is made of; undefined where there is no git. */
  commit: string | undefined;
  /** Its time, in seconds since 1970. */
  seconds: number;
  /** The web address of the repository, where it is known. */
  repository: string | undefined;
  /** Who publishes the Debian package: `Name <address>`. */
  maintainer: string;
}

/** The maintainer of a package that nobody publishes: `.invalid` has no mail (RFC 2606). */
export const unpublished = "Unpublished build of Cubby <unpublished@cubby-files.invalid>";

/** @throws StartRefusal for a maintainer that is not a name with an address */
export function readMaintainer(text: string): string {
  if (/^[^\s<>@,"][^<>@,"\n]* <[^\s<>@,"]+@[^\s<>@,".]+(?:\.[^\s<>@,".]+)+>$/.test(text)) {
    return text;
  }
  throw new StartRefusal(
    `Cannot name "${text}" as the maintainer: it is not "Name <name@example.org>"`,
  );
}

/** Where the program is, without the first slash. */
const place = "usr/lib/cubby-files";

const summary = "self-hosted web file manager";

const description = `\
 Cubby serves the files of a folder in the browser: browse, preview, edit,
 upload, search and share them, on desktops and phones. It has a trash and
 former versions, resumable uploads, quotas, and sign-in by passkeys, OpenID
 Connect or LDAP. On Linux, Landlock and seccomp confine the server.
 .
 It takes over the users, passwords, settings and shares of File Browser.`;

/**
 * Makes a Debian package.
 *
 * @param program the files of the program, with its packages and Deno
 * @param architecture by Debian's name
 */
export function debianPackage(
  program: readonly Entry[],
  release: Release,
  architecture: string,
): Uint8Array<ArrayBuffer> {
  const { version, seconds, repository } = release;
  const entries: Entry[] = [
    ...program.map((entry) => ({ ...entry, path: `${place}/${entry.path}` })),
    { path: "usr/bin/cubby-files", link: "../lib/cubby-files/deploy/npm/cubby-files.sh" },
    { path: "usr/lib/systemd/system/cubby.service", content: bytesOf(unit()) },
    { path: "etc/cubby/cubby.env", content: bytesOf(settings), mode: 0o640 },
    { path: "usr/share/lintian/overrides/cubby-files", content: bytesOf(overrides) },
    { path: "usr/share/doc/cubby-files/copyright", content: bytesOf(copyright(repository)) },
    {
      path: "usr/share/doc/cubby-files/changelog.gz",
      content: gzip(bytesOf(changelog(release))),
    },
    {
      path: "usr/share/man/man1/cubby-files.1.gz",
      content: gzip(bytesOf(manual(version, seconds))),
    },
  ];
  const control: Entry[] = [
    { path: "control", content: bytesOf(controlFile(release, architecture, entries)) },
    { path: "conffiles", content: bytesOf("/etc/cubby/cubby.env\n") },
    { path: "md5sums", content: bytesOf(sums(entries)) },
    ...Object.entries(scripts).map(([path, text]) => ({
      ...{ path, content: bytesOf(`#!/bin/sh\nset -e\n\n${text}`), mode: 0o755 },
    })),
  ];
  return ar([
    { name: "debian-binary", content: bytesOf("2.0\n") },
    { name: "control.tar.gz", content: gzip(tar(control, seconds, "./")) },
    { name: "data.tar.gz", content: gzip(tar(entries, seconds, "./")) },
  ], seconds);
}

/** A version by the rules of Debian: what comes before a release sorts before it. */
export function debianVersion(version: string): string {
  return version.replace("-", "~");
}

function controlFile(
  { version, repository, maintainer }: Release,
  architecture: string,
  entries: readonly Entry[],
): string {
  const bytes = entries.reduce(
    (sum, entry) => sum + ("content" in entry ? entry.content.length : 0),
    0,
  );
  return [
    "Package: cubby-files",
    `Version: ${debianVersion(version)}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    "Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6, passwd",
    "Suggests: ffmpeg, poppler-utils, libreoffice-impress-nogui, libreoffice-writer-nogui",
    "Section: web",
    "Priority: optional",
    ...repository === undefined ? [] : [`Homepage: ${repository}`],
    `Description: ${summary}`,
    description,
    "",
  ].join("\n");
}

function sums(entries: readonly Entry[]): string {
  const conffile = /^etc\//;
  return entries.flatMap((entry) => {
    if (!("content" in entry) || conffile.test(entry.path)) return [];
    return `${createHash("md5").update(entry.content).digest("hex")}  ${entry.path}\n`;
  }).join("");
}

/** The unit of `deploy/install.sh`, with the places of this package. */
function unit(): string {
  return read("deploy/systemd/cubby.service")
    .replace(
      /^# Cubby as a service\..*\n/,
      "# Cubby as a service; the settings are in /etc/cubby/cubby.env.\n",
    )
    .replace(/^Description=.*\n/m, "$&Documentation=man:cubby-files(1)\n")
    .replace("/usr/local/bin/", "/usr/bin/");
}

const settings = `\
# Settings of Cubby: cubby-files --help names them, such as FB_PORT for --port. The service reads
# them at its start (systemctl restart cubby).
#
# For another folder, also tell systemd that the service may write to it (systemctl edit cubby):
#   [Service]
#   ReadWritePaths=/home/shared
FB_ROOT=/srv/files
`;

function copyright(repository: string | undefined): string {
  const license = read("LICENSE").trim().split("\n").slice(2).join("\n").trim();
  const [holder = ""] = /(?<=Copyright \(c\) ).*/.exec(license) ?? [];
  const text = license.replace(/^Copyright.*\n+/, "").split("\n")
    .map((line) => ` ${line.trim() === "" ? "." : line}`).join("\n");
  return `\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Cubby
${repository === undefined ? "" : `Source: ${repository}\n`}Comment:
 Packages of others are part of the program; the file
 /${place}/THIRD-PARTY-LICENSES has the licence of each.

Files: *
Copyright: ${holder}
License: Expat

License: Expat
${text}
`;
}

function changelog({ version, seconds, maintainer }: Release): string {
  const date = new Date(seconds * 1000).toUTCString().replace("GMT", "+0000");
  return `\
cubby-files (${debianVersion(version)}) stable; urgency=medium

  * /${place}/CHANGELOG.md has the changes.

 -- ${maintainer}  ${date}
`;
}

/** The manual page: the help text, in the form of man(7). */
function manual(version: string, seconds: number): string {
  const help = helpText().replaceAll("\\", "\\e").replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&");
  const date = new Date(seconds * 1000).toISOString().slice(0, 10);
  return `\
.TH CUBBY\\-FILES 1 "${date}" "Cubby ${version}" "User Commands"
.SH NAME
cubby\\-files \\- ${summary}
.SH SYNOPSIS
.B cubby\\-files
[flags]
.br
.B cubby\\-files
command
.SH DESCRIPTION
Without a command it serves a folder in the browser. The package starts it as the service
.BR cubby ,
whose settings are in
.IR /etc/cubby/cubby.env .
.SH OPTIONS
.nf
${help.trim()}
.fi
.SH FILES
.TP
.I /etc/cubby/cubby.env
Settings of the service.
.TP
.I /var/lib/cubby/cubby.kv
The store of the service.
.TP
.I /${place.replaceAll("-", "\\-")}/docs
The documentation.
`;
}

/** What is done beside unpacking. Compiled code stays in the program's folder, as of no other. */
const scripts = {
  postinst: `\
if [ "$1" = configure ]; then
  if ! getent passwd cubby >/dev/null; then
    useradd --system --user-group --home-dir /var/lib/cubby --no-create-home \\
      --shell /usr/sbin/nologin cubby
  fi
  if [ ! -e /srv/files ]; then
    mkdir -p /srv/files
    chown cubby:cubby /srv/files
  fi
  # Once for all starts; without it each compiles for itself.
  cubby-files compile >/dev/null 2>&1 || true
fi

case "$1" in
  configure | abort-upgrade | abort-deconfigure | abort-remove)
    deb-systemd-helper unmask cubby.service >/dev/null || true
    if deb-systemd-helper --quiet was-enabled cubby.service; then
      deb-systemd-helper enable cubby.service >/dev/null || true
    else
      deb-systemd-helper update-state cubby.service >/dev/null || true
    fi
    if [ -d /run/systemd/system ]; then
      systemctl --system daemon-reload >/dev/null || true
      deb-systemd-invoke start cubby.service >/dev/null || true
    fi
    ;;
esac
`,
  prerm: `\
# Also for an upgrade: the server loads parts of itself late.
if [ -d /run/systemd/system ]; then
  deb-systemd-invoke stop cubby.service >/dev/null || true
fi
rm -rf /${place}/_fresh/deno
`,
  postrm: `\
if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
fi
if [ "$1" = purge ]; then
  if command -v deb-systemd-helper >/dev/null; then
    deb-systemd-helper purge cubby.service >/dev/null || true
  fi
  # The served folder stays, and the account that its files belong to.
  rm -rf /var/lib/cubby /var/cache/cubby
fi
`,
};

/** What lintian says of packages that are built outside of Debian, with all that they need. */
const overrides = `\
# Deno and the native code are those that their authors publish, unchanged.
cubby-files: unstripped-binary-or-object *
cubby-files: hardening-no-relro *
cubby-files: embedded-library *
# Scripts of packages that nothing runs.
cubby-files: script-not-executable *
# The settings may hold passwords, such as that of a mail server.
cubby-files: non-standard-file-perm 0640 != 0644 *cubby.env*
`;

function read(path: string): string {
  return Deno.readTextFileSync(join(appFolder, path));
}
