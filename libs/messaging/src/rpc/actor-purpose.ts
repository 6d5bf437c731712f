import { createHash } from 'node:crypto';
import { HEADERS, type RpcPattern } from '@po/contracts';
import { FOR_QUERIES } from '@po/platform';

/** Headers that decide the effect of a command in addition to key and value. More may be added only when no older service is running. */
const SIGNED_HEADERS = [
  HEADERS.messageType,
  HEADERS.commandId,
  HEADERS.deadline,
  HEADERS.method,
  HEADERS.idempotencyKey,
  HEADERS.idempotencyOrigin,
  HEADERS.ifMatch,
] as const;

interface Message {
  key: Buffer | string | null;
  value: Buffer | string | null;
  headers: Readonly<Record<string, string>>;
}

/** The purpose for which the actor of a message is signed: any query, or only this command. */
export function purposeOf(kind: RpcPattern['kind'], message: Message): string {
  return kind === 'query' ? FOR_QUERIES : digestOf(message);
}

function digestOf({ key, value, headers }: Message): string {
  const signedValues = [key === null ? null : String(key), ...SIGNED_HEADERS.map((name) => headers[name] ?? null)];
  return createHash('sha256')
    .update(JSON.stringify(signedValues))
    .update(value ?? '')
    .digest('base64url');
}
