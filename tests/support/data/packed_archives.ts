/** Archives of kinds that no code here writes. */
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";

const plain =
  "N3q8ryccAASTKEpnngAAAAAAAAAiAAAAAAAAABdYhJjgAM8AE10AGJHKTDYSPtl9V20BeV01aUVgAAAAAIEz" +
  "B64Pz7XvEA/r6py/Nj3+06j0yhbx3fNQumZjx1Xf7XD+6aRw+2JZs0dc79gKSDwfFBecFkQSMtCAIh3988Va" +
  "2xqZWIuJ2YiHXVOEg/Mxamh8t5W5aC+mUuBnvBkdmFv4cmORwv8WMSjbWy1AfpnXXfs5+qHE9LWnw6tUNMAA" +
  "ABcGGwEJgIMABwsBAAEjAwEBBV0AEAAADIC6CgH5ri+2AAA=";
const locked =
  "N3q8ryccAATxO3GSEAAAAAAAAABqAAAAAAAAAAsAKgQcQWosTUWmk04ZSEYIXOIYAQQGAAEJEAAHCwEAAiQG" +
  "8QcBElMPKS09RN1Ch18I04NgM9UVUiEhAQABAAwFAQAICgG379yDAAAFARkBABERAG8AbgBlAC4AdAB4AHQA" +
  "AAAZAgAAFAoBAICiqTR3e90BFQYBACCAtoEAAA==";
const hidden =
  "N3q8ryccAAS31mNWgAAAAAAAAAAuAAAAAAAAAArCM/FSNFxKTqEs1PhbOZXA7Z8hiCsuAeF2NxC9qDNBDivb" +
  "jVjTnr0Bga2czlkTa2DPEYog+3Jki8sdiAC7R2+G5JSI1HmNbOt3CtoR5BMd1rwRtXh8jBSR6XoW9bq6XPXH" +
  "eVlyaW8hlN6gKo9SbsHUwGEWDSEifewu6+CpsGXmLdHMaRcGEAEJcAAHCwEAASQG8QcBElMPhr5DQ9rHlCOF" +
  "aI2nllfTRwxqCgGWQLSIAAA=";

const modes = "N3q8ryccAAR3667S7AAAAAAAAAAiAAAAAAAAAMljkycBACRjbG9zZWRrZXltaW5lLnNocm9vdC5z" +
  "aHJ1bi5zaHRleHR0b29sAAAAgTMHrg/QluR8nz9HQQQPcQz8Nkp4WgM1gYlw/K9HhxYngtRhQHyc" +
  "/LhbaXJi3n5X39gIUaf9bRSx1KSdPGQBSntP24uMZyXmv1Vg/vu5G3V48SMS4RfGqmYIDfBOaKdt" +
  "OCDwIxjudyiRjErdtVulOxUGMY0Hs1z4SJTr1bOAM/QZHCiXgNrJ1+pxHe8IfxHjbWuD5VryGLyo" +
  "pupSMO3KOUtdt54yo1eKp2KLQYcupBeRE838dHXBh+Oig7P0DAAAABcGKQEJgMMABwsBAAEjAwEB" +
  "BV0AEAAADIEKCgFa759mAAA=";

/**
 * 7z archives: with "one.txt", "photos/deep/ä 日本.txt" ("Grüße") and "photos/sea.txt" (50 times
 * "sea ") in one solid block; with an encrypted "one.txt"; with encrypted names; and with files of
 * several modes, each with its name as its content, made by the 7-Zip of Debian.
 */
export const sevenZips = {
  plain: Buffer.from(plain, "base64"),
  locked: Buffer.from(locked, "base64"),
  hidden: Buffer.from(hidden, "base64"),
  modes: Buffer.from(modes, "base64"),
};

/** A RAR (4) of stored files, by their names. */
export function rarOf(files: Record<string, string>): Buffer<ArrayBuffer> {
  const block = (type: number, flags: number, body: Buffer, content = Buffer.alloc(0)) => {
    const head = Buffer.alloc(7);
    head[2] = type;
    head.writeUInt16LE(flags, 3);
    head.writeUInt16LE(7 + body.length, 5);
    head.writeUInt16LE(crc32(Buffer.concat([head.subarray(2), body])) & 0xffff, 0);
    return Buffer.concat([head, body, content]);
  };
  const entries = Object.entries(files).map(([name, text]) => {
    const content = Buffer.from(text);
    const facts = Buffer.alloc(25);
    facts.writeUInt32LE(content.length, 0);
    facts.writeUInt32LE(content.length, 4);
    facts[8] = 3;
    facts.writeUInt32LE(crc32(content), 9);
    facts.writeUInt32LE(0x5821_0000, 13);
    facts[17] = 20;
    facts[18] = 0x30;
    facts.writeUInt16LE(Buffer.byteLength(name), 19);
    facts.writeUInt32LE(0o100644, 21);
    return block(0x74, 0x8000, Buffer.concat([facts, Buffer.from(name)]), content);
  });
  return Buffer.concat([
    Buffer.from("526172211a0700", "hex"),
    block(0x73, 0, Buffer.alloc(6)),
    ...entries,
    block(0x7b, 0x4000, Buffer.alloc(0)),
  ]);
}
