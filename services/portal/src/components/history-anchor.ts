/** The name that an entry of its history has in the address of an order: what notifications lead to. */
export const anchorOf = (historyId: string): string => `entry-${historyId}`;
