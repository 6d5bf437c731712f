import type { StreamEvents } from '@po/contracts';

/** What every stream begins with: how long a client waits before it opens it again, in milliseconds. */
export const RETRY = 'retry: 1000\n';

/** Nothing for clients, but whatever stands in between sees that the connection lives. */
export const COMMENT = ':\n\n';

/** One event as it goes over the wire; JSON has no line breaks. */
export function eventText<Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name], id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
