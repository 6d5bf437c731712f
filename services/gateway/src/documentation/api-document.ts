import { readFileSync } from 'node:fs';
import { type ErrorCode, OPENAPI_FILE } from '@po/contracts';
import type { JsonSchema } from './json-schema.js';

interface ResponseObject {
  $ref?: string;
  content?: Record<string, { schema: JsonSchema }>;
}

interface OperationObject {
  operationId: string;
  tags: string[];
  responses: Record<string, ResponseObject>;
}

interface OpenApi {
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { responses: Record<string, ResponseObject>; schemas: Record<string, JsonSchema> };
}

/** An API operation that other pages link to. */
export interface ApiOperation {
  operationId: string;
  /** Method and path. */
  name: string;
  /** Link to the operation in the reference. */
  link: string;
  /** Error codes of its responses. */
  codes: ReadonlySet<ErrorCode>;
}

/** Returns every operation of the OpenAPI document. */
export function apiOperations(): ApiOperation[] {
  const { servers, paths, components } = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenApi;
  const root = servers[0]?.url ?? '';
  const codesOf = ({ $ref: schema }: JsonSchema) =>
    components.schemas[lastOf(schema)]?.properties?.code?.const as ErrorCode | undefined;
  const refusalsOf = (response: ResponseObject) => {
    const { content } = components.responses[lastOf(response.$ref)] ?? response;
    const schema = content?.['application/problem+json']?.schema;
    return schema?.oneOf ?? [schema ?? {}];
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([
        method,
        {
          operationId,
          tags: [tag = ''],
          responses,
        },
      ]) => ({
        operationId,
        name: `${method.toUpperCase()} ${root}${path}`,
        link: `/docs#/${encodeURIComponent(tag)}/${operationId}`,
        codes: new Set(
          Object.values(responses)
            .flatMap(refusalsOf)
            .map(codesOf)
            .filter((code) => code !== undefined),
        ),
      }),
    ),
  );
}

const lastOf = (reference = ''): string => reference.slice(reference.lastIndexOf('/') + 1);
