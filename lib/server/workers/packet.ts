/** How many bytes hold the length of the head. */
const lengthBytes = 4;

/** Puts a small value and many bytes into one message, so that the bytes need not be copied. */
export function pack(head: unknown, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const encoded = new TextEncoder().encode(JSON.stringify(head));
  const packet = new Uint8Array(lengthBytes + encoded.length + body.length);
  new DataView(packet.buffer).setUint32(0, encoded.length);
  packet.set(encoded, lengthBytes);
  packet.set(body, lengthBytes + encoded.length);
  return packet;
}

/** Takes apart what {@link pack} put together; the body is a view into the packet. */
export function unpack<Head>(
  packet: Uint8Array<ArrayBuffer>,
): { head: Head; body: Uint8Array<ArrayBuffer> } {
  const length = new DataView(packet.buffer, packet.byteOffset).getUint32(0);
  const head = packet.subarray(lengthBytes, lengthBytes + length);
  return {
    head: JSON.parse(new TextDecoder().decode(head)),
    body: packet.subarray(lengthBytes + length),
  };
}
