import type { StreamEvents } from '@po/contracts';

/** Beginning of every stream: how long a client waits before it reconnects, in milliseconds. */
export const RETRY = 'retry: 1000\n';

/** Ignored by clients; shows proxies in between that the connection is alive. */
export const COMMENT = ':\n\n';

/** One event as sent over the wire; JSON has no line breaks. */
export function eventText<Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name], id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
