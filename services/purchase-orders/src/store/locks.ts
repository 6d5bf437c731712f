/**
 * The advisory locks of this database. `policies` is the first of two 32-bit keys; the others are seeds of a 64-bit hash, a separate space.
 * A transaction takes its locks in one of these orders, which prevents deadlocks:
 * - a command: `command`, `key` (without waiting), the order's row, `policies`
 * - messages from the inventory system: `reference` by ascending hash, the orders' rows by ascending id
 */
export const LOCKS = { command: 1, key: 2, reference: 3, policies: 13 } as const;
