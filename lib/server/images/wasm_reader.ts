/** Reads the numbers and instructions of a WebAssembly module, byte by byte. */
export class WasmReader {
  readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  get isAtEnd(): boolean {
    return this.position >= this.bytes.length;
  }

  /** @throws RangeError past the end */
  byte(): number {
    const byte = this.bytes[this.position++];
    if (byte === undefined) throw new RangeError("Cannot read the module: it is cut off");
    return byte;
  }

  /** An unsigned number in LEB128, of at most 32 bits. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0;; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  /** The next so many bytes, not copied. */
  take(length: number): Uint8Array {
    const part = this.bytes.subarray(this.position, this.position + length);
    if (part.length < length) throw new RangeError("Cannot read the module: it is cut off");
    this.position += length;
    return part;
  }

  /** Passes over a number in LEB128 of any size and sign. */
  skipNumber(): void {
    while (this.byte() >= 0x80);
  }

  /**
   * Passes over one instruction with what belongs to it, and answers with its opcode.
   *
   * @throws RangeError for instructions beyond WebAssembly 1.0, saturating conversions and sign
   * extension
   */
  instruction(): number {
    const opcode = this.byte();
    const numbers = numbersAfter(opcode);
    if (opcode === brTable) {
      for (let count = this.unsigned(); count > 0; count--) this.skipNumber();
    }
    for (let count = 0; count < numbers; count++) this.skipNumber();
    if (opcode === f32Const) this.take(4);
    if (opcode === f64Const) this.take(8);
    if (opcode === prefix && this.unsigned() > lastConversion) throw unknown(opcode);
    return opcode;
  }
}

const brTable = 0x0e;
const f32Const = 0x43;
const f64Const = 0x44;
const prefix = 0xfc;
/** The last of the saturating conversions among the instructions with a prefix. */
const lastConversion = 7;

/** How many numbers in LEB128 follow an opcode: https://webassembly.github.io/spec/core/binary/ */
function numbersAfter(opcode: number): number {
  if (opcode <= 0x01 || opcode === 0x05 || opcode === 0x0b || opcode === 0x0f) return 0;
  if (opcode <= 0x04 || opcode === 0x0c || opcode === 0x0d || opcode === brTable) return 1;
  if (opcode === 0x10) return 1;
  if (opcode === 0x11) return 2;
  if (opcode === 0x1a || opcode === 0x1b) return 0;
  if (opcode >= 0x20 && opcode <= 0x24) return 1;
  if (opcode >= 0x28 && opcode <= 0x3e) return 2;
  if (opcode >= 0x3f && opcode <= 0x42) return 1;
  if (opcode >= f32Const && opcode <= 0xc4) return 0;
  if (opcode === prefix) return 0;
  throw unknown(opcode);
}

function unknown(opcode: number): RangeError {
  return new RangeError(`Cannot read the module: unknown instruction 0x${opcode.toString(16)}`);
}
