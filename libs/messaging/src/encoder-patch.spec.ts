import { createRequire } from 'node:module';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { patchEncoder } from './encoder-patch.js';

interface Encoder {
  buffer: Buffer;
  writeInt32(value: number): Encoder;
  writeBytes(value: string | Buffer | null): Encoder;
  writeVarIntBytes(value: string | Buffer | null): Encoder;
  writeString(value: string): Encoder;
  writeEncoder(value: Encoder): Encoder;
}
type EncoderClass = new () => Encoder;

const PATH = 'kafkajs/src/protocol/encoder.js';

/** KafkaJS's class as it is in the file, whatever was patched before. */
function unpatched(): EncoderClass {
  const require = createRequire(import.meta.url);
  const path = require.resolve(PATH);
  const loaded = require.cache[path];
  delete require.cache[path];
  const Fresh = require(PATH) as EncoderClass;
  if (loaded) require.cache[path] = loaded;
  else delete require.cache[path];
  return Fresh;
}

// These fail when KafkaJS changes under the patch.
it('encodes the same bytes as KafkaJS does without it', () => {
  const Original = unpatched();
  patchEncoder();
  patchEncoder();
  const Patched = createRequire(import.meta.url)(PATH) as EncoderClass;
  const write = (Class: EncoderClass, texts: readonly string[], bytes: Uint8Array) => {
    const inner = texts.reduce((encoder, text) => encoder.writeVarIntBytes(text).writeString(text), new Class());
    return new Class().writeInt32(texts.length).writeBytes(Buffer.from(bytes)).writeBytes(null).writeEncoder(inner)
      .buffer;
  };
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 400 })),
      fc.uint8Array({ maxLength: 9_000 }),
      (texts, bytes) => {
        expect(write(Patched, texts, bytes).equals(write(Original, texts, bytes))).toBe(true);
      },
    ),
  );
});

it('begins small', () => {
  patchEncoder();
  const Patched = createRequire(import.meta.url)(PATH) as new () => { buf: Buffer };
  expect(new Patched().buf.length).toBe(64);
});
