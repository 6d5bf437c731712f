import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readText } from '@po/testing/documents';

/** A record in the terms of an AsyncAPI document; `value` is undefined if it is not JSON. */
export interface DescribedRecord {
  topic: string;
  headers: Readonly<Record<string, string>>;
  key: string | null;
  value: unknown;
}

interface Document {
  channels: Record<string, { address: string; messages: Record<string, unknown>; parameters?: object }>;
}

/** Returns a check of records against an AsyncAPI document. The check returns errors as sentences; none if the record conforms. */
export function asyncApiValidator(path: string): (record: DescribedRecord) => string[] {
  const document = JSON.parse(readText(path)) as Document;
  // Strict, so that every keyword in a schema has a meaning for validators.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: true });
  formats.default(ajv);
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, 'document');
  const validators = new Map<string, ValidateFunction>();
  const schemaErrors = (pointer: string, value: unknown): string[] => {
    const $ref = `document#/components/messages/${pointer}`;
    const validate = validators.get($ref) ?? ajv.compile({ $ref });
    validators.set($ref, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${pointer}${instancePath} ${message}`);
  };
  return ({ topic, headers, key, value }) => {
    const channel = Object.values(document.channels).find(({ address }) => isOf(address, topic));
    if (!channel) return [`no channel has the address ${topic}`];
    const names = Object.keys(channel.messages);
    const name = names.find((one) => schemaErrors(`${one}/headers`, headers).length === 0);
    if (!name) return names.flatMap((one) => schemaErrors(`${one}/headers`, headers));
    return [...schemaErrors(`${name}/bindings/kafka/key`, key), ...schemaErrors(`${name}/payload`, value)];
  };
}

/** An address may contain a parameter in braces. */
const isOf = (address: string, topic: string): boolean =>
  new RegExp(`^${address.replaceAll('.', '\\.').replace(/\{\w+\}/, '.+')}$`).test(topic);
