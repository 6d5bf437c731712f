import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { HeaderObject, Reference } from '../../deploy/documents/openapi-document.js';
import { DOCUMENT, type Published } from './document.js';

/** What came back; `body` is undefined where it is no JSON. */
export interface Received {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(DOCUMENT, 'document');

/** Whether JSON is as a schema of the document says; the errors where it is not. */
export function misfits(pointer: string, value: unknown): string[] {
  const reference = `document#${encodeURI(pointer)}`;
  const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** What of an answer is not as the document says, each as a sentence. */
export function undocumented(responses: Published['responses'], method: string, received: Received): string[] {
  const { status, headers } = received;
  const response = responses[status];
  if (status >= 500 || !response) return [`${status} is no answer that is documented: ${received.text.slice(0, 500)}`];
  const absent = Object.entries(response.headers).filter(([name, header]) => isRequired(header) && !headers.has(name));
  const said = absent.map(([name]) => `the header ${name} is missing`);
  const misfit = Object.keys(response.headers).flatMap((name) =>
    headerMisfits(`${response.pointer}/headers/${name}`, name, headers),
  );
  if (method === 'HEAD' || !response.content)
    return [...said, ...misfit, ...(received.text === '' ? [] : ['there is a body'])];
  return [...said, ...misfit, ...contentMisfits(response, received)];
}

function contentMisfits(
  { pointer, content = {} }: Published['responses'][string],
  { headers, body }: Received,
): string[] {
  const given = headers.get('content-type') ?? '';
  const media = Object.keys(content).find((type) => given === type || given === `${type}; charset=utf-8`);
  if (media === undefined) return [`${given} is no media type that is documented`];
  if (!/json$/.test(media)) return [];
  return misfits(`${pointer}/content/${media.replaceAll('/', '~1')}/schema`, body);
}

const isRequired = (header: HeaderObject | Reference): boolean => '$ref' in header || header.required === true;

function headerMisfits(pointer: string, name: string, headers: Headers): string[] {
  const text = headers.get(name);
  if (text === null) return [];
  const value = /^\d+$/.test(text) ? Number(text) : text;
  const schemas = [value, text].map((one) => misfits(`${headerPointer(pointer)}/schema`, one));
  return schemas.some((errors) => errors.length === 0) ? [] : [`${name}: ${text} ${schemas.flat().join('; ')}`];
}

function headerPointer(pointer: string): string {
  const at = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (part, step) => (part as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      DOCUMENT,
    ) as HeaderObject | Reference;
  return '$ref' in at ? at.$ref.slice(1) : pointer;
}
