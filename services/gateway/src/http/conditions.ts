import { randomUUID } from 'node:crypto';
import { type FieldRefusal, invalid } from '@po/contracts';
import type { RpcRequest } from '@po/messaging';
import type { FastifyRequest } from 'fastify';

const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e]*"';
const IF_MATCH = new RegExp(`^(?:\\*|${ENTITY_TAG}(?:\\s*,\\s*${ENTITY_TAG})*)$`);
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** Which conditional headers count: none, `If-None-Match`, `Idempotency-Key`, or this and `If-Match`. */
export type Conditions = keyof Given;

type Key = Required<Pick<RpcRequest, 'idempotencyKey' | 'idempotencyOrigin'>>;

/** What is read of the headers that count. */
export interface Given {
  none: Record<never, never>;
  read: Pick<RpcRequest, 'ifNoneMatch'>;
  key: Key;
  write: Key & Pick<RpcRequest, 'ifMatch'>;
}

const READERS: { [C in Conditions]: (request: FastifyRequest) => Given[C] } = {
  none: () => ({}),
  read: ({ headers: { 'if-none-match': ifNoneMatch } }) => (ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  key: (request) => checked((errors) => keyOf(request, errors)),
  write: (request) => checked((errors) => ({ ...keyOf(request, errors), ...ifMatchOf(request, errors) })),
};

/** The headers that count. Throws VALIDATION_FAILED for one of a write that is malformed. */
export function conditionsOf<C extends Conditions>(request: FastifyRequest, conditions: C): Given[C] {
  return READERS[conditions](request);
}

// Without a key one is minted, so that a write whose answer was lost can be asked for again.
function keyOf({ raw }: FastifyRequest, errors: FieldRefusal[]): Key {
  const [key, ...moreKeys] = raw.headersDistinct['idempotency-key'] ?? [];
  if (moreKeys.length > 0 || (key !== undefined && !IDEMPOTENCY_KEY.test(key))) {
    errors.push(
      refusal(
        'Idempotency-Key',
        'must be one value of 1 to 128 visible ASCII characters',
        '必须是 1 到 128 个可见 ASCII 字符的单个值',
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
