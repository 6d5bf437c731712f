import { kafkaJsModule, original, patchKafkaJs } from './patch-kafkajs.js';
import { type ProduceRequest, encodeProduce } from './produce-encoding.js';

interface Encoder {
  buf: Buffer;
  offset: number;
}

interface Protocol {
  request: { encode(): Promise<Encoder> };
  response: unknown;
}

interface ProduceModule {
  protocol?: (options: { version: number }) => (request: ProduceRequest) => Protocol;
}

const FIRST_VERSION = 3;
const LAST_VERSION = 7;

// KafkaJS makes an encoder for each header, record, batch, partition, topic and request, each of which copies the former's bytes:
// several times the CPU of one buffer.
/** Lets KafkaJS send Produce requests as `encodeProduce` writes them. Throws when KafkaJS no longer has what this replaces. */
export function patchProduce(): void {
  const Encoder = kafkaJsModule<new (size: number) => Encoder>('protocol/encoder');
  patchKafkaJs<ProduceModule>('protocol/requests/produce/index', (produce) => {
    const protocolOf = original(produce.protocol, 'the protocol of Produce');
    produce.protocol = ({ version }) => {
      const make = protocolOf({ version });
      if (version < FIRST_VERSION || version > LAST_VERSION) return make;
      return (request) => {
        const protocol = make(request);
        const encode = async () => {
          const body = await encodeProduce(request, Date.now());
          if (!body) return protocol.request.encode();
          return Object.assign(new Encoder(1), { buf: body, offset: body.length });
        };
        return { ...protocol, request: { ...protocol.request, encode } };
      };
    };
  });
}
