/** The name that an entry of its history has in the address of an order: what notifications lead to. */
export const anchorOf = (historyId: string): string => `entry-${historyId}`;

const MESSAGE = 'message-';

/** The same of a message, to which mails and notifications lead. */
export const messageAnchorOf = (messageId: string): string => MESSAGE + messageId;

/** The message that an address leads to; null where it leads to none. */
export const messageOfAnchor = (anchor: string): string | null =>
  anchor.startsWith(MESSAGE) ? anchor.slice(MESSAGE.length) : null;
