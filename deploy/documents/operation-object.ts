import type { Media, Operation } from '@po/gateway/dist/routes/operation.js';
import { z } from 'zod';
import { type AnswerHeader, headersOf } from './headers.js';
import type { JsonSchema, NamedSchemas } from './json-schema.js';
import type { Content, OperationObject, ParameterObject, ResponseObject } from './openapi-document.js';
import { type Refusals, codesOf } from './refusals.js';

/** The path as OpenAPI writes it: `/purchase-orders/{poRef}`. */
export const pathOf = ({ path }: Operation): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** The Operation Object of an operation. */
export function operationObject(
  id: string,
  operation: Operation,
  schemas: NamedSchemas,
  refusals: Refusals,
): OperationObject {
  const { tag, summary, description, body, conditions } = operation;
  return {
    tags: [tag],
    ...{ summary, description, operationId: id },
    parameters: [
      ...pathParameters(operation, schemas),
      ...queryParameters(operation, schemas),
      ...requestHeaders(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body === null ? {} : { requestBody: { required: true, ...requestBody(body, schemas) } }),
    responses: {
      200: goodAnswer(operation, schemas),
      ...(conditions === 'read' ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...refusals.of(codesOf(operation)),
    },
  };
}

function pathParameters({ params }: Operation, schemas: NamedSchemas): ParameterObject[] {
  return Object.entries(params).map(([name, { schema }]) => {
    const { description, ...rest } = schemas.of(schema, 'taken');
    return { name, in: 'path', required: true, description, schema: rest };
  });
}

function queryParameters({ query }: Operation, schemas: NamedSchemas): ParameterObject[] {
  const { properties = {}, required = [] } = schemas.of(query, 'taken') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ name, in: 'query', required: required.includes(name), description },
    // Values of one parameter are separated by commas.
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));
}

function requestHeaders({ conditions }: Operation): string[] {
  const always = ['AcceptLanguage', 'RequestId'];
  switch (conditions) {
    case 'none':
      return always;
    case 'read':
      return ['IfNoneMatch', ...always];
    case 'write':
      return ['IfMatch', 'IdempotencyKey', ...always];
    default:
      return conditions satisfies never;
  }
}

function requestBody(body: z.ZodType | (Media & { maxBytes: number }), schemas: NamedSchemas) {
  if (body instanceof z.ZodType) return { content: { 'application/json': { schema: schemas.of(body, 'taken') } } };
  return { description: `At most ${body.maxBytes.toLocaleString('en')} bytes.`, content: files(body) };
}

function goodAnswer({ reply, conditions, headers, summary }: Operation, schemas: NamedSchemas): ResponseObject {
  const always: AnswerHeader[] = [...(conditions === 'none' ? [] : (['etag'] as const)), ...headers];
  const isNamed = reply instanceof z.ZodType ? z.globalRegistry.get(reply)?.description : undefined;
  return {
    description: isNamed ?? summary,
    headers: headersOf(always, conditions === 'write' ? ['idempotency-replayed'] : []),
    content: reply instanceof z.ZodType ? { 'application/json': { schema: schemas.of(reply, 'given') } } : files(reply),
  };
}

const files = ({ media }: Media): Content =>
  Object.fromEntries(media.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
