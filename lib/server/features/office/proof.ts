/** The proof that a request comes from the office server (WOPI proof keys). */

/** How far the time of a request may be off, in milliseconds. */
const maxAgeMs = 20 * 60_000;

/** The longest part of a key, in characters: a modulus of 8192 bits. */
const maxKeyLength = 1_400;

/** Milliseconds from the year 1 to 1970, and ticks of .NET in one. */
const unixEpochMs = 62_135_596_800_000n;
const ticksPerMs = 10_000n;

/** The public part of an RSA key, as numbers in base64url. */
export interface ProofKey {
  n: string;
  e: string;
}

/** Reads a key from its modulus and exponent in base64; null for none. */
export function readProofKey(modulus: string, exponent: string): ProofKey | null {
  const isNumber = (text: string) =>
    /^[A-Za-z\d+/]+={0,2}$/.test(text) && text.length <= maxKeyLength;
  if (!isNumber(modulus) || !isNumber(exponent)) return null;
  const toUrl = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return { n: toUrl(modulus), e: toUrl(exponent) };
}

/** The parts of a request that its proof is about. */
export interface ProvenRequest {
  token: string;
  /** The address as the office server has requested it, with its query. */
  address: string;
  /** The headers `X-WOPI-TimeStamp`, `X-WOPI-Proof` and `X-WOPI-ProofOld`; "" for none. */
  timestamp: string;
  proof: string;
  proofOld: string;
}

/**
 * Whether a request was signed with one of the keys, a short while ago. The office server signs with
 * its present key and with its former one, and either side may have heard of a change first: so the
 * present proof may be of the former key, and the former proof of the present one.
 *
 * @param keys the present one and, if there is one, the former
 * @param now milliseconds since 1970
 */
export async function isProven(
  keys: readonly ProofKey[],
  { token, address, timestamp, proof, proofOld }: ProvenRequest,
  now: number,
): Promise<boolean> {
  if (!/^\d{1,19}$/.test(timestamp)) return false;
  const time = Number(BigInt(timestamp) / ticksPerMs - unixEpochMs);
  if (Math.abs(now - time) > maxAgeMs) return false;
  const signed = signedBytes(token, address, BigInt(timestamp));
  const [present, former] = keys;
  const attempts = [[present, proof], [present, proofOld], [former, proof]] as const;
  for (const [key, signature] of attempts) {
    if (key && await verifies(key, signature, signed)) return true;
  }
  return false;
}

/** The bytes that are signed: token, address in capital letters and time, each after its length. */
function signedBytes(token: string, address: string, ticks: bigint): Uint8Array<ArrayBuffer> {
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigInt64(0, BigInt.asIntN(64, ticks));
  const encoder = new TextEncoder();
  const parts = [encoder.encode(token), encoder.encode(address.toUpperCase()), time];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + 4 + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

async function verifies(
  { n, e }: ProofKey,
  signature: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  try {
    const jwk = { kty: "RSA", n, e };
    const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
    return await crypto.subtle.verify(algorithm, key, Uint8Array.fromBase64(signature), signed);
  } catch {
    // A header that is no base64, or a key that is none.
    return false;
  }
}
