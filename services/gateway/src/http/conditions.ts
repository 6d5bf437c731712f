import { randomUUID } from 'node:crypto';
import { type FieldRefusal, invalid } from '@po/contracts';
import type { RpcRequest } from '@po/messaging';
import type { FastifyRequest } from 'fastify';

const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e]*"';
const IF_MATCH = new RegExp(`^(?:\\*|${ENTITY_TAG}(?:\\s*,\\s*${ENTITY_TAG})*)$`);
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** Conditional headers that an operation reads: none, `If-None-Match`, `Idempotency-Key`, or the latter and `If-Match`. */
export type Conditions = keyof ConditionValues;

type Key = Required<Pick<RpcRequest, 'idempotencyKey' | 'idempotencyOrigin'>>;

/** Values of those headers. */
export interface ConditionValues {
  none: Record<never, never>;
  read: Pick<RpcRequest, 'ifNoneMatch'>;
  key: Key;
  write: Key & Pick<RpcRequest, 'ifMatch'>;
}

const READERS: { [C in Conditions]: (request: FastifyRequest) => ConditionValues[C] } = {
  none: () => ({}),
  read: ({ headers: { 'if-none-match': ifNoneMatch } }) => (ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  key: (request) => checked((errors) => keyOf(request, errors)),
  write: (request) => checked((errors) => ({ ...keyOf(request, errors), ...ifMatchOf(request, errors) })),
};

/** Reads the conditional headers. Throws VALIDATION_FAILED for a malformed one of a write. */
export function conditionsOf<C extends Conditions>(request: FastifyRequest, conditions: C): ConditionValues[C] {
  return READERS[conditions](request);
}

// A key is generated if there is none, so that a write whose response was lost can be repeated.
function keyOf({ raw }: FastifyRequest, errors: FieldRefusal[]): Key {
  const [key, ...moreKeys] = raw.headersDistinct['idempotency-key'] ?? [];
  if (moreKeys.length > 0 || (key !== undefined && !IDEMPOTENCY_KEY.test(key))) {
    errors.push(
      refusal(
        'Idempotency-Key',
        'must be one value of 1 to 128 visible ASCII characters',
        '必须是单个值，由 1 到 128 个可见 ASCII 字符组成',
      ),
    );
  }
  return { idempotencyKey: key ?? randomUUID(), idempotencyOrigin: key === undefined ? 'minted' : 'client' };
}

function ifMatchOf({ raw }: FastifyRequest, errors: FieldRefusal[]): Pick<RpcRequest, 'ifMatch'> {
  const ifMatch = raw.headersDistinct['if-match']?.join(', ').trim();
  if (ifMatch === undefined) return {};
  if (!IF_MATCH.test(ifMatch)) {
    errors.push(refusal('If-Match', 'must be "<version>" in double quotes, or *', '必须是带双引号的 "<version>" 或 *'));
  }
  return { ifMatch };
}

const refusal = (name: string, en: string, zh: string): FieldRefusal => ({
  in: 'header',
  pointer: `/${name}`,
  code: 'INVALID_FORMAT',
  message: { en, zh },
});

function checked<T>(read: (errors: FieldRefusal[]) => T): T {
  const errors: FieldRefusal[] = [];
  const given = read(errors);
  if (errors.length > 0) throw invalid(errors);
  return given;
}
