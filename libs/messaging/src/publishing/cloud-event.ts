import { HEADERS, Instant } from '@po/contracts';

interface CloudEvent {
  id: string;
  type: string;
  /** URI reference of the service that emits the event, for example `/purchase-orders`. */
  source: string;
  subject: string;
  /** RFC 3339. */
  time: string;
  traceparent?: string;
}

/** CloudEvents 1.0 attributes in the Kafka binary binding; the record's value is the event's data. */
export function cloudEventHeaders({
  id,
  type,
  source,
  subject,
  time,
  traceparent,
}: CloudEvent): Record<string, string> {
  return {
    ce_specversion: '1.0',
    ce_id: id,
    [HEADERS.cloudEventType]: type,
    ce_source: source,
    ce_subject: subject,
    ce_time: time,
    'content-type': 'application/json',
    ...(traceparent === undefined ? {} : { [HEADERS.traceparent]: traceparent }),
  };
}

/** Time of an event according to its headers; null if missing or invalid. */
export function cloudEventTime({ ce_time: time }: Readonly<Record<string, string>>): string | null {
  return Instant.safeParse(time).data ?? null;
}
