/** A Protocol Buffers message as encoded: the values of each field in order, by field number. */
export type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

/** Decodes a message. Throws if the bytes are not one. */
export function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('a field is longer than its message');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const values = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, values);
    switch (tag & 7) {
      case 0:
        values.push(varint());
        break;
      case 1:
        values.push(take(8));
        break;
      case 2:
        values.push(take(Number(varint())));
        break;
      case 5:
        values.push(take(4));
        break;
      default:
        throw new RangeError(`there is no wire type ${tag & 7}`);
    }
  }
  return fields;
}

/** The embedded messages of a field. */
export const messagesIn = (message: Message, field: number): Message[] =>
  (message.get(field) ?? []).map((value) => readMessage(value as Buffer));

export const bytesIn = (message: Message, field: number): Buffer =>
  (message.get(field)?.at(-1) as Buffer | undefined) ?? Buffer.alloc(0);

export const textIn = (message: Message, field: number): string => bytesIn(message, field).toString('utf8');

export const numberIn = (message: Message, field: number): number => Number(message.get(field)?.at(-1) ?? 0);
