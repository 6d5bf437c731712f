import { createHash } from 'node:crypto';

/** Hash of a user id for Redis. Ids may be e-mail addresses, which must not be in its keys or values. */
export const userHash = (userId: string): string => createHash('sha256').update(userId).digest('base64url');
