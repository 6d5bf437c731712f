import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { textOf } from '@po/testing/documents';

/** A record as an AsyncAPI document speaks of it; `value` is undefined where it is no JSON. */
export interface DescribedRecord {
  topic: string;
  headers: Readonly<Record<string, string>>;
  key: string | null;
  value: unknown;
}

interface Document {
  channels: Record<string, { address: string; messages: Record<string, unknown>; parameters?: object }>;
}

/** What of a record is not as an AsyncAPI document says, as sentences; none where all is. */
export function describedBy(path: string): (record: DescribedRecord) => string[] {
  const document = JSON.parse(textOf(path)) as Document;
  // Strict: whatever a schema says must mean something to whoever checks by it.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: true });
  formats.default(ajv);
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, 'document');
  const validators = new Map<string, ValidateFunction>();
  const misfits = (pointer: string, value: unknown): string[] => {
    const $ref = `document#/components/messages/${pointer}`;
    const validate = validators.get($ref) ?? ajv.compile({ $ref });
    validators.set($ref, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${pointer}${instancePath} ${message}`);
  };
  return ({ topic, headers, key, value }) => {
    const channel = Object.values(document.channels).find(({ address }) => isOf(address, topic));
    if (!channel) return [`no channel is ${topic}`];
    const names = Object.keys(channel.messages);
    const name = names.find((one) => misfits(`${one}/headers`, headers).length === 0);
    if (!name) return names.flatMap((one) => misfits(`${one}/headers`, headers));
    return [...misfits(`${name}/bindings/kafka/key`, key), ...misfits(`${name}/payload`, value)];
  };
}

/** An address may have a parameter in braces. */
const isOf = (address: string, topic: string): boolean =>
  new RegExp(`^${address.replaceAll('.', '\\.').replace(/\{\w+\}/, '.+')}$`).test(topic);
