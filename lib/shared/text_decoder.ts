/** The encodings of Unicode that `TextDecoder` lacks. */
const wide = new Set(["utf-32le", "utf-32be"]);

/** The characters from 0x80 on of code pages of DOS, which it lacks, too. */
const dosPages: Readonly<Record<string, string>> = {
  cp437: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙" +
    "╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  cp720: "éâàçêëèïîّْô¤ـûùءآأؤ£إئابةتثجحخدذرزسشص«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙" +
    "╘╒╓╫╪┘┌█▄▌▐▀ضطظعغفµقكلمنهوىي≡ًٌٍَُِ≈°∙·√ⁿ²■\u00a0",
  cp737: "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙" +
    "╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u00a0",
  cp775: "ĆüéāäģåćłēŖŗīŹÄÅÉæÆōöĢ¢ŚśÖÜø£Ø×¤ĀĪóŻżź”¦©®¬½¼Ł«»░▒▓│┤ĄČĘĖ╣║╗╝ĮŠ┐└┴┬├─┼ŲŪ╚╔╩╦╠═╬Žąčęė" +
    "įšųūž┘┌█▄▌▐▀ÓßŌŃõÕµńĶķĻļņĒŅ’\u00ad±“¾¶§÷„°∙·¹³²■\u00a0",
  cp850: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊË" +
    "ÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  cp852: "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎË" +
    "ďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0",
  cp857: "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊË" +
    "È\ufffdÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\ufffd×ÚÛÙìÿ¯´\u00ad±\ufffd¾¶§÷¸°¨·¹³²■\u00a0",
  cp862: "אבגדהוזחטיךכלםמןנסעףפץצקרשת¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙" +
    "╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
  cp1125: "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙" +
    "╘╒╓╫╪┘┌█▄▌▐▀рстуфхцчшщъыьэюяЁёҐґЄєІіЇї·√№¤■\u00a0",
};

/** The characters of mainframes (EBCDIC, code page 37) from 0x40 on, and their ends of lines. */
const mainframe = {
  name: "cp037",
  characters:
    "\u0020\u00a0âäàáãåçñ¢.<(+|&éêëèíîïìß!$*);¬-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@'=\"Øabcdefghi«»ðýþ±°" +
    "jklmnopqrªºæ¸Æ¤µ~stuvwxyz¡¿ÐÝÞ®^£¥·©§¶¼½¾[]¯¨´×{ABCDEFGHI\u00adôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ" +
    "0123456789³ÛÜÙÚ\ufffd",
  controls: new Map([[0x00, "\0"], [0x05, "\t"], [0x0d, "\r"], [0x15, "\n"], [0x25, "\n"]]),
};

/** Whether an encoding is a code page of DOS or of mainframes, which the platform does not know. */
export function isDosPage(encoding: string): boolean {
  return Object.hasOwn(dosPages, encoding) || encoding === mainframe.name;
}

/** Whether an encoding is one of UTF-32, which the platform neither reads nor writes. */
export function isUtf32(encoding: string): boolean {
  return wide.has(encoding);
}

/**
 * Makes a decoder for text that arrives in parts, as `TextDecoder` with `ignoreBOM` does: invalid
 * bytes become U+FFFD, and a byte order mark is a character. It knows UTF-32 and DOS, too.
 *
 * @param encoding as `TextDecoder` calls it, or "utf-32le", "utf-32be", "cp437", "cp037"
 */
export function decoderOf(encoding: string): Pick<TextDecoder, "decode"> {
  const upper = dosPages[encoding];
  if (upper !== undefined) return new PageDecoder(ascii + upper);
  if (encoding === mainframe.name) return new PageDecoder(mainframeCharacters());
  if (!isUtf32(encoding)) return new TextDecoder(encoding, { ignoreBOM: true });
  return new Utf32Decoder(encoding === "utf-32le");
}

const ascii = String.fromCharCode(...Array.from({ length: 0x80 }, (_, byte) => byte));

function mainframeCharacters(): string {
  const { controls, characters } = mainframe;
  const first = Array.from({ length: 0x40 }, (_, byte) => controls.get(byte) ?? "\ufffd");
  return first.join("") + characters;
}

/** Of an encoding in which each byte is a character. */
class PageDecoder {
  readonly #characters: readonly number[];

  constructor(characters: string) {
    this.#characters = Array.from(characters, (character) => character.charCodeAt(0));
  }

  decode(part: Uint8Array = new Uint8Array()): string {
    let text = "";
    for (let at = 0; at < part.length; at += stride) {
      const codes = Array.from(
        part.subarray(at, at + stride),
        (byte) => this.#characters[byte] ?? replacement,
      );
      text += String.fromCharCode(...codes);
    }
    return text;
  }
}

const [replacement, lastCharacter, firstSurrogate, lastSurrogate] = [
  0xfffd,
  0x10ffff,
  0xd800,
  0xdfff,
];

/** Characters that become a string at a time: each is an argument. */
const stride = 4096;

class Utf32Decoder {
  readonly #isLittle: boolean;
  /** A character that the end of a part has cut. */
  #rest = new Uint8Array();

  constructor(isLittle: boolean) {
    this.#isLittle = isLittle;
  }

  decode(part: Uint8Array = new Uint8Array(), { stream = false }: TextDecodeOptions = {}): string {
    const bytes = new Uint8Array(this.#rest.length + part.length);
    bytes.set(this.#rest);
    bytes.set(part, this.#rest.length);
    const end = bytes.length - bytes.length % 4;
    this.#rest = stream ? bytes.slice(end) : new Uint8Array();
    const view = new DataView(bytes.buffer);
    let text = "";
    for (let start = 0; start < end; start += 4 * stride) {
      const codes: number[] = [];
      for (let at = start; at < Math.min(end, start + 4 * stride); at += 4) {
        const code = view.getUint32(at, this.#isLittle);
        const isCharacter = code <= lastCharacter &&
          !(code >= firstSurrogate && code <= lastSurrogate);
        codes.push(isCharacter ? code : replacement);
      }
      text += String.fromCodePoint(...codes);
    }
    return !stream && end < bytes.length ? text + String.fromCodePoint(replacement) : text;
  }
}
