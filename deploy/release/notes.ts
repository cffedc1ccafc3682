/** The notes of a release. */
import { StartRefusal } from "../../lib/server/core/config/refusal.ts";
import { withWholeLinks } from "../npm/package.ts";
import type { Release } from "./debian.ts";

/** The part of the changelog about a version. @throws StartRefusal when there is none */
export function sectionOf(version: string, changelog: string): string {
  const parts = changelog.split(/^## /m);
  const part = parts.find((part) => part.split(/\s/)[0] === version);
  if (part === undefined) {
    throw new StartRefusal(`Cannot release: CHANGELOG.md has no part "## ${version}"`);
  }
  return part.slice(part.indexOf("\n")).trim();
}

/** The notes of a release: what changed, what there is, and how to see that it is genuine. */
export function notesOf(changes: string, { version, commit, repository }: Release): string {
  const [, owner = "OWNER", name = "REPOSITORY"] = /([^/]+)\/([^/]+)$/.exec(repository ?? "") ?? [];
  const files = [
    ["`cubby-files-VERSION-linux-x64.tar.gz`, `…-arm64.tar.gz`", "unpack, and run `./cubby-files`"],
    ["`cubby-files_VERSION_amd64.deb`, `…_arm64.deb`", "`apt install ./FILE`, a systemd service"],
    ["`cubby-files-VERSION.tgz`", "`npm install -g --ignore-scripts ./FILE`"],
    ["`Dockerfile`", "with the two archives in its folder: `docker build -t cubby .`"],
    ["`cubby-files-VERSION.cdx.json`", "what it is made of (CycloneDX)"],
    ["`THIRD-PARTY-LICENSES`", "the licences of the packages in it"],
  ].map((row) => `| ${row.join(" | ")} |\n`.replaceAll("VERSION", version)).join("");
  const text = withWholeLinks(changes, { folder: "", has: () => false, repository });
  return `\
${text}

## Files

| file | use |
| --- | --- |
${files}
\`sha256sum -c --ignore-missing SHA256SUMS\` compares what you downloaded, and
\`gh attestation verify FILE --repo ${owner}/${name}\` shows who built it.${
    commit === undefined ? "" : ` It was made of the commit ${commit}.`
  }
`;
}
