import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import type { OpenApiDocument, OperationObject } from '../openapi-document.js';
import type { ExampleResponse } from './response.js';
import { REFUSED } from './refusals.js';
import { ANSWERED } from './requests.js';

/** Responses by operation id or error code. */
export type Recorded = Record<string, ExampleResponse>;

/** Responses of the last recording, read from the examples in the API document. */
export function recordedResponses(): Recorded {
  const text = readFileSync(join(REPOSITORY, 'libs/contracts/openapi.json'), 'utf8');
  const { paths, components, 'x-other-paths': others } = JSON.parse(text) as OpenApiDocument;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const elsewhere = Object.values(others)
    .flatMap(({ content = {} }) => Object.values(content))
    .flatMap(({ examples = {} }) => Object.values(examples));
  const problems = [...Object.values(components.examples), ...elsewhere].map(
    (example) => (example as { value: { code: string; status: number } }).value,
  );
  const responses = new Map([
    ...operations.map((operation) => [operation.operationId, successResponse(operation)] as const),
    ...problems.map((body) => [body.code, { status: body.status, body }] as const),
  ]);
  return Object.fromEntries(
    [...ANSWERED, ...REFUSED].flatMap(({ of }) => {
      const response = of === null ? undefined : responses.get(of);
      return response?.body === undefined ? [] : [[of, response]];
    }),
  ) as Recorded;
}

/** Example response, without a body if there is none. Of several statuses the last (201), because the demo requests create resources. */
function successResponse({ responses }: OperationObject): ExampleResponse {
  const good = Object.entries(responses).findLast(([status]) => Number(status) < 300);
  const [status, response] = good as [string, { content?: Record<string, { example?: unknown }> }];
  const [content] = Object.values(response.content ?? {});
  return { status: Number(status), body: content ? content.example : '' };
}
