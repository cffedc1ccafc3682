import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import type {
  NewPasskey,
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyQuestion,
} from "../../../lib/shared/schemas/passkeys.ts";

/** What a browser and its authenticator do otherwise than asked, for attacks. */
export interface Odd {
  /** The origin of the page; that of the authenticator by default. */
  origin?: string;
  /** The RP ID; that of the question by default. */
  rpId?: string;
  /** The user was not verified. */
  unverified?: boolean;
  /** The counter that is told; one more than before by default. */
  counter?: number;
  /** The page is in a frame of another site. */
  crossOrigin?: boolean;
  challenge?: string;
  /** The id of the credential that is made; a random one by default. */
  id?: Buffer;
  /** The public key of the credential that is made (COSE); that of its own key by default. */
  publicKey?: Buffer;
  userHandle?: string;
}

/** A passkey in a device. */
interface HeldPasskey {
  id: Buffer;
  key: KeyObject;
  rpId: string;
  userHandle: string;
}

/** An authenticator in software with the browser around it: real bytes, no user. */
export class SoftAuthenticator {
  readonly #origin: string;
  /** The passkeys that it holds, the oldest first. */
  readonly held: HeldPasskey[] = [];
  /** How often it has signed; 0 for good when it does not count. */
  counter = 0;
  readonly #counts: boolean;

  /** @param origin of the page that asks */
  constructor(origin: string, counts = true) {
    this.#origin = origin;
    this.#counts = counts;
  }

  /** Makes a passkey. */
  create(options: PasskeyCreation, odd: Odd = {}): NewPasskey {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const id = odd.id ?? randomBytes(16);
    const rpId = odd.rpId ?? options.rp.id;
    this.held.push({ id, key: privateKey, rpId, userHandle: options.user.id });
    const data = Buffer.concat([
      this.#authenticatorData(rpId, odd, 0x40),
      Buffer.alloc(16),
      Buffer.of(0, id.length),
      id,
      odd.publicKey ?? coseOf(publicKey),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(data.length);
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
      Buffer.of(0x59),
      length,
      data,
    ]);
    return {
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      response: {
        clientDataJSON: this.#clientData("webauthn.create", options.challenge, odd),
        attestationObject: attestation.toString("base64url"),
      },
    };
  }

  /** Signs a question with the newest passkey, or with that one. */
  sign(question: PasskeyQuestion, odd: Odd = {}, held = this.held.at(-1)): PasskeyAnswer {
    if (!held) throw new Error("there is no passkey");
    if (this.#counts) this.counter++;
    const data = this.#authenticatorData(odd.rpId ?? held.rpId, odd);
    const clientDataJSON = this.#clientData("webauthn.get", question.challenge, odd);
    const hash = sha256(Buffer.from(clientDataJSON, "base64url"));
    const signature = createSign("sha256").update(data).update(hash).sign(held.key);
    return {
      id: held.id.toString("base64url"),
      rawId: held.id.toString("base64url"),
      type: "public-key",
      response: {
        clientDataJSON,
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
        userHandle: odd.userHandle ?? held.userHandle,
      },
    };
  }

  #authenticatorData(rpId: string, odd: Odd, more = 0): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(odd.counter ?? this.counter);
    const flags = more | (odd.unverified ? 0x01 : 0x05);
    return Buffer.concat([sha256(rpId), Buffer.of(flags), counter]);
  }

  #clientData(type: string, challenge: string, odd: Odd): string {
    const { origin = this.#origin, crossOrigin = false } = odd;
    const data = { type, challenge: odd.challenge ?? challenge, origin, crossOrigin };
    return Buffer.from(JSON.stringify(data)).toString("base64url");
  }
}

/** A key of P-256 as {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
function coseOf(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}
