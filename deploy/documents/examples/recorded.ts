import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import type { OpenApiDocument, OperationObject } from '../openapi-document.js';
import type { ExampleAnswer } from './answer.js';
import { REFUSED } from './refusals.js';
import { ANSWERED } from './requests.js';

/** Answers by what they are examples of. */
export type Recorded = Record<string, ExampleAnswer>;

/** The answers of the last recording: the document that they are examples in keeps them. */
export function recordedAnswers(): Recorded {
  const text = readFileSync(join(REPOSITORY, 'libs/contracts/openapi.json'), 'utf8');
  const { paths, components, 'x-other-paths': others } = JSON.parse(text) as OpenApiDocument;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const elsewhere = Object.values(others)
    .flatMap(({ content = {} }) => Object.values(content))
    .flatMap(({ examples = {} }) => Object.values(examples));
  const problems = [...Object.values(components.examples), ...elsewhere].map(
    (example) => (example as { value: { code: string; status: number } }).value,
  );
  const answers = new Map([
    ...operations.map((operation) => [operation.operationId, goodAnswer(operation)] as const),
    ...problems.map((body) => [body.code, { status: body.status, body }] as const),
  ]);
  return Object.fromEntries(
    [...ANSWERED, ...REFUSED].flatMap(({ of }) => {
      const answer = of === null ? undefined : answers.get(of);
      return answer?.body === undefined ? [] : [[of, answer]];
    }),
  ) as Recorded;
}

/** Without a body where there is no example. Of several statuses the last: that of what is new on the demo stack. */
function goodAnswer({ responses }: OperationObject): ExampleAnswer {
  const good = Object.entries(responses).findLast(([status]) => Number(status) < 300);
  const [status, response] = good as [string, { content?: Record<string, { example?: unknown }> }];
  const [content] = Object.values(response.content ?? {});
  return { status: Number(status), body: content ? content.example : '' };
}
