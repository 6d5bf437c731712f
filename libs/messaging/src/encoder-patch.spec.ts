import { createRequire } from 'node:module';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { patchEncoder } from './encoder-patch.js';

interface Encoder {
  buf: Buffer;
  buffer: Buffer;
  writeInt32(value: number): Encoder;
  writeBytes(value: string | Buffer | null): Encoder;
  writeVarIntBytes(value: string | Buffer | null): Encoder;
  writeString(value: string): Encoder;
  writeEncoder(value: Encoder): Encoder;
}

const Encoder = createRequire(import.meta.url)('kafkajs/src/protocol/encoder.js') as new () => Encoder;

function encode(texts: readonly string[], bytes: Uint8Array): Buffer {
  const inner = texts.reduce((encoder, text) => encoder.writeVarIntBytes(text).writeString(text), new Encoder());
  const outer = new Encoder().writeInt32(texts.length).writeBytes(Buffer.from(bytes)).writeBytes(null);
  return Buffer.from(outer.writeEncoder(inner).buffer);
}

// This fails when KafkaJS changes under the patch. What is encoded before it and after it is the same input.
it('encodes the same bytes as KafkaJS does without it, and begins small', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 400 }));
  const samples = fc.sample(fc.tuple(texts, fc.uint8Array({ maxLength: 9_000 })), 300);
  expect(new Encoder().buf.length).toBe(512);
  const before = samples.map(([words, bytes]) => encode(words, bytes));
  patchEncoder();
  patchEncoder();
  expect(new Encoder().buf.length).toBe(64);
  for (const [index, [words, bytes]] of samples.entries()) {
    expect(encode(words, bytes).equals(before[index] as Buffer)).toBe(true);
  }
});
