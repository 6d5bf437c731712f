import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import type { ExampleAnswer } from './answer.js';

export const RECORDED = 'deploy/documents/examples/recorded.json';

/** Answers by what they are examples of. */
export type Recorded = Record<string, ExampleAnswer>;

export const recordedAnswers = (): Recorded => JSON.parse(readFileSync(join(REPOSITORY, RECORDED), 'utf8')) as Recorded;
