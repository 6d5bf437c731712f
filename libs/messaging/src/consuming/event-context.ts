/** The context that an event handler gets with its payload (`@Ctx()`). */
export interface EventContext {
  topic: string;
  partition: number;
  /** Decimal, as Kafka counts. */
  offset: string;
  key: string | null;
  headers: Readonly<Record<string, string>>;
  traceparent: string;
}

/** Gives the checked event of one type its effect. */
export type EventHandler = (event: unknown, context: EventContext) => Promise<unknown>;
