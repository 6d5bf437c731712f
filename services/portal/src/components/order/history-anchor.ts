/** URL hash of a history entry on the order's page; notifications link to it. */
export const anchorOf = (historyId: string): string => `entry-${historyId}`;

const MESSAGE = 'message-';

/** URL hash of a message; mails and notifications link to it. */
export const messageAnchorOf = (messageId: string): string => MESSAGE + messageId;

/** Id of the message that a URL hash names; null if it names none. */
export const messageOfAnchor = (anchor: string): string | null =>
  anchor.startsWith(MESSAGE) ? anchor.slice(MESSAGE.length) : null;
