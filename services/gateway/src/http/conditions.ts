import { randomUUID } from 'node:crypto';
import { type FieldRefusal, invalid } from '@po/contracts';
import type { RpcRequest } from '@po/messaging';
import type { FastifyRequest } from 'fastify';

const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e]*"';
const IF_MATCH = new RegExp(`^(?:\\*|${ENTITY_TAG}(?:\\s*,\\s*${ENTITY_TAG})*)$`);
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** Which conditional headers count: none, `If-None-Match`, or `If-Match` and `Idempotency-Key`. */
export type Conditions = 'none' | 'read' | 'write';

type Given = Pick<RpcRequest, 'ifMatch' | 'ifNoneMatch' | 'idempotencyKey' | 'idempotencyOrigin'>;

/** The headers that count. Throws VALIDATION_FAILED for one of a write that is malformed. */
export function conditionsOf(request: FastifyRequest, conditions: Conditions): Given {
  switch (conditions) {
    case 'none':
      return {};
    case 'read':
      return readConditionsOf(request);
    case 'write':
      return writeConditionsOf(request);
    default:
      return conditions satisfies never;
  }
}

function readConditionsOf({ headers: { 'if-none-match': ifNoneMatch } }: FastifyRequest): Given {
  return ifNoneMatch === undefined ? {} : { ifNoneMatch };
}

// Without a key one is minted, so that a write whose answer was lost can be asked for again.
function writeConditionsOf({ raw }: FastifyRequest): Given {
  const errors: FieldRefusal[] = [];
  const refuse = (name: string, en: string, zh: string) =>
    errors.push({
      in: 'header',
      pointer: `/${name}`,
      code: 'INVALID_FORMAT',
      message: { en, zh },
    });
  const [key, ...moreKeys] = raw.headersDistinct['idempotency-key'] ?? [];
  if (moreKeys.length > 0 || (key !== undefined && !IDEMPOTENCY_KEY.test(key))) {
    refuse(
      'Idempotency-Key',
      'must be one value of 1 to 128 visible ASCII characters',
      '必须是 1 到 128 个可见 ASCII 字符的单个值',
    );
  }
  const ifMatch = raw.headersDistinct['if-match']?.join(', ').trim();
  if (ifMatch !== undefined && !IF_MATCH.test(ifMatch)) {
    refuse('If-Match', 'must be "<version>" in double quotes, or *', '必须是带双引号的 "<version>" 或 *');
  }
  if (errors.length > 0) throw invalid(errors);
  return {
    idempotencyKey: key ?? randomUUID(),
    idempotencyOrigin: key === undefined ? 'minted' : 'client',
    ...(ifMatch === undefined ? {} : { ifMatch }),
  };
}
