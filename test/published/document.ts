import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../../deploy/documents/openapi-document.js';
import { lookedUp } from '../../deploy/documents/compatibility/flat-schema.js';
import { ROOT } from '@po/testing/documents';

/** The document as clients have it. */
export const DOCUMENT = JSON.parse(readFileSync(join(ROOT, 'libs/contracts/openapi.json'), 'utf8')) as OpenApiDocument;

const resolved = <T extends object>(part: T | Reference): T =>
  '$ref' in part ? (lookedUp(DOCUMENT, part.$ref) as T) : part;

/** An operation with what it refers to; the JSON Pointer of it in the document. */
export interface Published {
  id: string;
  method: string;
  /** With parameters as `{name}`. */
  path: string;
  parameters: ParameterObject[];
  body: OperationObject['requestBody'];
  responses: Record<string, ResponseObject & { pointer: string }>;
}

const step = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function published(path: string, method: string, operation: OperationObject): Published {
  const { operationId: id, parameters, requestBody: body, responses } = operation;
  const own = `/paths/${step(path)}/${method}/responses`;
  return {
    ...{ id, method: method.toUpperCase(), path, body },
    parameters: parameters.map(resolved),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const pointer = '$ref' in response ? response.$ref.slice(1) : `${own}/${status}`;
        return [status, { ...resolved(response), pointer }];
      }),
    ),
  };
}

export const PUBLISHED: readonly Published[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => published(path, method, operation)),
);

/** What requests that are for no operation are answered with, by status. */
export const OF_NO_OPERATION: Published['responses'] = Object.fromEntries(
  Object.entries(DOCUMENT['x-other-paths']).map(([status, response]) => [
    status,
    { ...response, pointer: `/x-other-paths/${status}` },
  ]),
);

/** The methods that a path has, HEAD among them where it has GET. */
export const methodsOf = (path: string): string[] =>
  Object.keys(DOCUMENT.paths[path] ?? {}).flatMap((method) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
