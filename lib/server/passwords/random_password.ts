/** Letters and digits that look distinct in print. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";

/** 20 of them are 116 bits. */
const passwordLength = 20;

/** An unguessable password of letters and digits. */
export function randomPassword(): string {
  let password = "";
  while (password.length < passwordLength) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // 56 * 4 < 256: larger bytes are rejected, so that no letter is likelier.
    if (byte < alphabet.length * 4) password += alphabet[byte % alphabet.length];
  }
  return password;
}
