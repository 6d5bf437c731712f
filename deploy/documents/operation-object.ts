import { STREAM_EVENTS } from '@po/contracts';
import type { Media, Operation } from '@po/gateway/dist/routes/operation.js';
import { z } from 'zod';
import type { Recorded } from './examples/recorded.js';
import { ANSWERED } from './examples/requests.js';
import { EVENT_STREAM, isStream } from './examples/streams.js';
import { type ResponseHeader, headersOf } from './headers.js';
import type { JsonSchema, NamedSchemas } from './json-schema.js';
import type { Content, OperationObject, ParameterObject, ResponseObject } from './openapi-document.js';
import type { Refusals } from './refusals.js';

const REQUESTED = new Map(ANSWERED.map((request) => [String(request.of), request]));

/** Link is absent if not even the link to one page fits. */
const OPTIONAL = new Set<ResponseHeader>(['link', 'idempotency-replayed']);

interface Sources {
  schemas: NamedSchemas;
  refusals: Refusals;
  recorded: Recorded;
}

export function operationObject(
  id: string,
  operation: Operation,
  { schemas, refusals, recorded }: Sources,
): OperationObject {
  const { tag, summary, description, body, conditions } = operation;
  const example = REQUESTED.get(id);
  return {
    tags: [tag],
    summary,
    description,
    operationId: id,
    parameters: [
      ...pathParameters(operation, schemas).map(withExample(example?.params)),
      ...queryParameters(operation, schemas).map(withExample(example?.query)),
      ...requestHeaders(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body === null ? {} : { requestBody: { required: true, ...requestBody(body, schemas, example?.body) } }),
    responses: {
      ...Object.fromEntries(
        operation.statuses.map((status) => [status, successResponse(status, operation, schemas, recorded[id]?.body)]),
      ),
      ...(conditions === 'read' ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...refusals.of(operation),
    },
  };
}

function pathParameters({ params }: Operation, schemas: NamedSchemas): ParameterObject[] {
  return Object.entries(params).map(([name, { schema }]) => {
    const { description, ...rest } = schemas.of(schema, 'input');
    return { name, in: 'path', required: true, description, schema: rest };
  });
}

function queryParameters({ query }: Operation, schemas: NamedSchemas): ParameterObject[] {
  const { properties = {}, required = [] } = schemas.of(query, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    // List values are separated by commas.
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));
}

function requestHeaders({ conditions, reply }: Operation): string[] {
  const always = [...(isStream(reply) ? ['LastEventId'] : []), 'AcceptLanguage', 'RequestId'];
  switch (conditions) {
    case 'none':
      return always;
    case 'read':
      return ['IfNoneMatch', ...always];
    case 'key':
      return ['IdempotencyKey', ...always];
    case 'write':
      return ['IfMatch', 'IdempotencyKey', ...always];
    default:
      return conditions satisfies never;
  }
}

function requestBody(body: z.ZodType | (Media & { maxBytes: number }), schemas: NamedSchemas, example: unknown) {
  if (body instanceof z.ZodType) {
    return { content: { 'application/json': { schema: schemas.of(body, 'input'), example } } };
  }
  return { description: `At most ${body.maxBytes.toLocaleString('en')} bytes.`, content: files(body, example) };
}

function successResponse(
  status: number,
  { reply, conditions, headers, summary }: Operation,
  schemas: NamedSchemas,
  example: unknown,
): ResponseObject {
  // A deleted resource has no version.
  const hasVersion = status !== 204 && (conditions === 'read' || conditions === 'write');
  const names: ResponseHeader[] = [
    ...(status === 201 ? (['location'] as const) : []),
    ...(hasVersion ? (['etag'] as const) : []),
    ...headers,
    ...(conditions === 'write' || conditions === 'key' ? (['idempotency-replayed'] as const) : []),
  ];
  const { always = [], sometimes } = Object.groupBy(names, (name) => (OPTIONAL.has(name) ? 'sometimes' : 'always'));
  const isNamed = reply instanceof z.ZodType ? z.globalRegistry.get(reply)?.description : undefined;
  return {
    description: isNamed ?? summary,
    headers: headersOf(always, sometimes),
    ...(reply === null ? {} : { content: contentOf(reply, schemas, example) }),
  };
}

function contentOf(reply: NonNullable<Operation['reply']>, schemas: NamedSchemas, example: unknown): Content {
  if (isStream(reply)) return { [EVENT_STREAM]: eventStream(schemas, example) };
  if (!(reply instanceof z.ZodType)) return files(reply, example);
  return { 'application/json': { schema: schemas.of(reply, 'output'), example } };
}

/** Describes each event as a client sees it: its name, its id if any, and its JSON data. */
const eventStream = (schemas: NamedSchemas, example: unknown): Content[string] => ({
  schema: {
    type: 'string',
    contentMediaType: EVENT_STREAM,
    contentSchema: {
      anyOf: Object.entries(STREAM_EVENTS).map(([event, data]) => ({
        type: 'object',
        properties: {
          event: { const: event },
          ...(event === 'notification' ? { id: { type: 'string' } } : {}),
          data: schemas.of(data, 'output'),
        },
        required: ['event', 'data'],
      })),
    },
  },
  example,
});

const schemaOf = (media: string): JsonSchema =>
  media.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };

// With several formats, the example is in the first one.
const files = ({ media }: Media, example: unknown): Content =>
  Object.fromEntries(
    media.map((type, index) => [type, { schema: schemaOf(type), example: index === 0 ? example : undefined }]),
  );

/** Adds the parameter's value in the example, before serialization into a query. */
const withExample =
  (values: Record<string, string> = {}) =>
  (parameter: ParameterObject): ParameterObject => ({
    ...parameter,
    example: exampleOf(parameter.schema.type, values[parameter.name]),
  });

function exampleOf(type: unknown, value: string | undefined): unknown {
  if (value === undefined || type === 'string') return value;
  return type === 'array' ? value.split(',') : JSON.parse(value);
}
