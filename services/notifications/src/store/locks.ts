import type { Statement } from '@po/database';

/**
 * Keys of the advisory locks in this database. A transaction takes the lock of the directory before that of a user, and both before any row
 * of those users; a purge takes only its own, without waiting for it.
 */
export const LOCKS = { directory: 7_301_160, purge: 7_301_161, user: 7_301_162 } as const;

/** Shared lock of fan-outs and writes of users: they run concurrently, but not during a directory change. */
export const LOCK_DIRECTORY_SHARED: Statement = {
  name: 'directory-hold',
  text: `SELECT pg_advisory_xact_lock_shared(${LOCKS.directory})`,
};

/**
 * Exclusive lock for a change of the directory. An entry is either stored before a first-seen user's backfill, which finds it, or fanned
 * out after it, when the user is known: none is missed or duplicated.
 */
export const LOCK_DIRECTORY: Statement = {
  name: 'directory-lock',
  text: `SELECT pg_advisory_xact_lock(${LOCKS.directory})`,
};

/** Serializes the writes of one user, so that they cannot both pass the limit, version or key check. $1: user. */
export const LOCK_USER: Statement = {
  name: 'commands-lock-user',
  text: `SELECT pg_advisory_xact_lock(${LOCKS.user}, hashtext($1))`,
};

/** Admits one batch of purges at a time across all replicas: concurrent ones would wait for each other's rows, in any order. */
export const TRY_LOCK_PURGE: Statement = {
  name: 'purge-lock',
  text: `SELECT pg_try_advisory_xact_lock(${LOCKS.purge}) AS locked`,
};
