const POLYNOMIAL = 0x82f63b78;

// T<k>[b] is the checksum of byte b followed by k zero bytes, so eight bytes take one step ("slicing by 8"). That takes a third of the
// time of KafkaJS's byte-by-byte loop.
const T0 = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});
const T1 = followedByZero(T0);
const T2 = followedByZero(T1);
const T3 = followedByZero(T2);
const T4 = followedByZero(T3);
const T5 = followedByZero(T4);
const T6 = followedByZero(T5);
const T7 = followedByZero(T6);

function followedByZero(table: Int32Array): Int32Array {
  return table.map((crc) => look(T0, crc) ^ (crc >>> 8));
}

function look(table: Int32Array, crc: number): number {
  return table[crc & 0xff] as number;
}

/** CRC-32C (Castagnoli; RFC 3720, Kafka record batches) of `bytes` from `start` to `end`, as an unsigned 32-bit integer. */
export function crc32c(bytes: Buffer, start = 0, end = bytes.length): number {
  const byte = (index: number) => bytes[index] as number;
  let crc = -1;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    const low = crc ^ (byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24));
    crc =
      look(T7, low) ^
      look(T6, low >>> 8) ^
      look(T5, low >>> 16) ^
      look(T4, low >>> 24) ^
      look(T3, byte(at + 4)) ^
      look(T2, byte(at + 5)) ^
      look(T1, byte(at + 6)) ^
      look(T0, byte(at + 7));
  }
  for (; at < end; at += 1) crc = look(T0, crc ^ byte(at)) ^ (crc >>> 8);
  return ~crc >>> 0;
}
