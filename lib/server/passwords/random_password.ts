/** Letters and digits that are not taken for one another in print. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";

/** 20 of them are 116 bits. */
const passwordLength = 20;

/** An unguessable password of letters and digits. */
export function randomPassword(): string {
  let password = "";
  while (password.length < passwordLength) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // 56 goes four times into 256; the rest is thrown away, so that no letter is likelier.
    if (byte < alphabet.length * 4) password += alphabet[byte % alphabet.length];
  }
  return password;
}
