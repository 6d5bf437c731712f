import { createRequire } from 'node:module';

interface Encoder {
  buf: Buffer;
  offset: number;
}

interface EncoderClass {
  nextPowerOfTwo?: (value: number) => number;
  prototype: { ensureAvailable?: (this: Encoder, length: number) => void };
}

const PATCHED = Symbol.for('po.kafkajs.encoder-patched');

/** V8 keeps arrays up to this size on its own heap; KafkaJS makes one encoder a header, a record, a batch and a request. */
const FIRST_BYTES = 64;

// KafkaJS starts each encoder with 512 zeroed bytes outside V8's heap and copies a record through five of them on its way into a
// request: a fifth of the CPU of encoding small records.
/** Lets KafkaJS encode into little, unzeroed memory. Throws when KafkaJS no longer has the methods this replaces. */
export function patchEncoder(): void {
  const Encoder = createRequire(import.meta.url)('kafkajs/src/protocol/encoder.js') as EncoderClass &
    Record<symbol, boolean>;
  if (Encoder[PATCHED]) return;
  const { nextPowerOfTwo, prototype } = Encoder;
  if (typeof nextPowerOfTwo !== 'function') throw new Error('KafkaJS changed: Encoder.nextPowerOfTwo is gone');
  if (typeof prototype.ensureAvailable !== 'function') {
    throw new Error('KafkaJS changed: Encoder.ensureAvailable is gone');
  }
  // Only the constructor still calls it, for the size to begin with.
  Encoder.nextPowerOfTwo = () => FIRST_BYTES;
  prototype.ensureAvailable = function (length) {
    const needed = this.offset + length;
    if (needed <= this.buf.length) return;
    const grown = Buffer.allocUnsafe(nextPowerOfTwo(needed));
    this.buf.copy(grown, 0, 0, this.offset);
    this.buf = grown;
  };
  Encoder[PATCHED] = true;
}
