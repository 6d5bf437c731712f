import { ERROR_CODES, ERRORS, type ErrorCode, Problem, REMEDIES, membersOf, statusOfValue } from '@po/contracts';
import { errorCodesOf } from '@po/gateway/dist/routes/error-codes.js';
import type { Operation } from '@po/gateway/dist/routes/operation.js';
import { z } from 'zod';
import type { Recorded } from './examples/recorded.js';
import { headersOfRefusal, inlineHeaders } from './headers.js';
import type { JsonSchema, NamedSchemas } from './json-schema.js';
import type { Content, Reference, ResponseObject } from './openapi-document.js';

/** Error codes of an unknown path and of a method that a path does not have. */
const OF_NO_OPERATION = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'] as const;

const pascal = (code: ErrorCode): string =>
  code.toLowerCase().replaceAll(/(^|_)(\w)/g, (_match, _gap, letter: string) => letter.toUpperCase());

/** HTTP status of a code, which differs if the missing resource is named in the body rather than in the path. */
const statusOf = (code: ErrorCode, { refusals }: Operation): number =>
  refusals.includes(code) ? statusOfValue(code) : ERRORS[code].status;

const nameOf = (code: ErrorCode, status: number): string =>
  `${pascal(code)}${status === ERRORS[code].status ? '' : status}`;

/** Response Objects of errors, each written once among the components. */
export class Refusals {
  readonly #responses = new Map<string, ResponseObject>();

  constructor(
    private readonly schemas: NamedSchemas,
    private readonly recorded: Recorded,
  ) {}

  /** References to the error responses of an operation, by HTTP status. */
  of(operation: Operation): Record<string, Reference> {
    const byStatus = Map.groupBy(errorCodesOf(operation), (code) => statusOf(code, operation));
    return Object.fromEntries([...byStatus].map(([status, codes]) => [status, this.#response(codes, status)]));
  }

  /** Error responses to requests that match no operation; inlined, because nothing else refers to them. */
  ofNone(): Record<string, ResponseObject> {
    return Object.fromEntries(
      OF_NO_OPERATION.map((code) => {
        const examples = { [code]: { value: this.recorded[code]?.body } };
        const headers = inlineHeaders([
          'content-language',
          ...(code === 'METHOD_NOT_ALLOWED' ? (['allow'] as const) : []),
        ]);
        const { status } = ERRORS[code];
        return [status, { ...responseOf([code], this.#problem(code, status), examples), headers }];
      }),
    );
  }

  /** All referenced Response Objects by name. */
  all(): Record<string, ResponseObject> {
    return Object.fromEntries([...this.#responses].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Recorded problems by the name of their code. */
  examples() {
    const recorded = ERROR_CODES.filter(
      (code) => this.recorded[code] && !OF_NO_OPERATION.some((other) => other === code),
    );
    return Object.fromEntries(
      recorded.map((code) => [pascal(code), { summary: ERRORS[code].title.en, value: this.recorded[code]?.body }]),
    );
  }

  #response(codes: readonly ErrorCode[], status: number): Reference {
    const name = codes.map((code) => nameOf(code, status)).join('Or');
    if (!this.#responses.has(name)) {
      const recorded = codes.filter((code) => this.recorded[code]?.status === status);
      const examples = Object.fromEntries(recorded.map((code) => [code, exampleOf(code)]));
      this.#responses.set(name, responseOf(codes, this.#schema(codes, status), examples));
    }
    return { $ref: `#/components/responses/${name}` };
  }

  #schema(codes: readonly ErrorCode[], status: number): JsonSchema {
    const references = codes.map((code) =>
      this.schemas.add(`${nameOf(code, status)}Problem`, this.#problem(code, status)),
    );
    const [only, ...others] = references;
    if (only && others.length === 0) return only;
    const mapping = Object.fromEntries(codes.map((code, index) => [code, references[index]?.$ref]));
    return { oneOf: references, discriminator: { propertyName: 'code', mapping } };
  }

  #problem(code: ErrorCode, status: number): JsonSchema {
    const { cause, remedy } = REMEDIES[code];
    const own = z.object({ code: z.literal(code), status: z.literal(status), ...membersOf(code) });
    return {
      description: `${cause.en} ${remedy.en}`,
      allOf: [this.schemas.of(Problem, 'output')],
      ...this.schemas.of(own, 'output'),
    };
  }
}

const exampleOf = (code: ErrorCode): Reference => ({ $ref: `#/components/examples/${pascal(code)}` });

const responseOf = (
  codes: readonly ErrorCode[],
  schema: JsonSchema,
  examples: Content[string]['examples'],
): ResponseObject => ({
  description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title.en.toLowerCase()}`).join('; '),
  headers: headersOfRefusal(codes),
  content: { 'application/problem+json': { schema, examples } },
});
