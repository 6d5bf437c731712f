import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Content,
  HeaderObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../../deploy/documents/openapi-document.js';
import { resolveReference } from '../../deploy/documents/json-schema.js';
import { ROOT } from '@po/testing/documents';

/** The published document as clients read it. */
export const DOCUMENT = JSON.parse(readFileSync(join(ROOT, 'libs/contracts/openapi.json'), 'utf8')) as OpenApiDocument;

/** A part of the document with its reference resolved, and its JSON Pointer. */
type Resolved<T> = Omit<T, '$ref'> & { pointer: string };

interface Response {
  pointer: string;
  headers: Record<string, Resolved<HeaderObject>>;
  content?: Content;
}

/** An operation with its references resolved. */
export interface Published {
  id: string;
  method: string;
  /** Template with parameters as `{name}`. */
  path: string;
  parameters: ParameterObject[];
  body: OperationObject['requestBody'];
  /** Responses by HTTP status. */
  responses: Record<string, Response>;
}

const step = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const resolved = <T extends object>(part: T | Reference, pointer: string): Resolved<T> =>
  '$ref' in part
    ? { ...(resolveReference(DOCUMENT, part.$ref) as T), pointer: part.$ref.slice(1) }
    : { ...part, pointer };

/** Maps the values of an object. */
export const mapped = <T, U>(parts: Record<string, T>, map: (part: T, name: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, map(part, name)]));

function responsesIn(responses: Record<string, ResponseObject | Reference>, at: string): Published['responses'] {
  return mapped(responses, (response, status) => {
    const { pointer, headers, content } = resolved(response, `${at}/${status}`);
    const named = mapped(headers, (header, name) => resolved(header, `${pointer}/headers/${name}`));
    return { pointer, headers: named, ...(content && { content }) };
  });
}

export const PUBLISHED: readonly Published[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId: id, parameters, requestBody: body, responses }]) => ({
    id,
    method: method.toUpperCase(),
    path,
    body,
    parameters: parameters.map((parameter) => resolved(parameter, '')),
    responses: responsesIn(responses, `/paths/${step(path)}/${method}/responses`),
  })),
);

/** Whether a path matches a template with parameters. */
export const isPathOf = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?', 1)[0] ?? '');

/** Documented responses to a request: those of its operation, otherwise the one for an unknown path or method. */
export function responsesTo(method: string, path: string): Published['responses'] {
  const matching = PUBLISHED.filter((one) => isPathOf(one.path, path));
  const meant = matching.find((one) => one.method === (method === 'HEAD' ? 'GET' : method));
  if (meant) return meant.responses;
  const status = matching.length > 0 ? '405' : '404';
  const { [status]: response } = responsesIn(DOCUMENT['x-other-paths'], '/x-other-paths');
  return response ? { [status]: response } : {};
}

/** Methods of a path, including HEAD if it has GET. */
export const methodsOf = (path: string): string[] =>
  Object.keys(DOCUMENT.paths[path] ?? {}).flatMap((method) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
