import { createHash } from 'node:crypto';

/** Stands for a user in Redis: ids may be e-mail addresses, which belong into no key or value of it. */
export const userHash = (userId: string): string => createHash('sha256').update(userId).digest('base64url');
