/** The context that an event handler gets with its payload (`@Ctx()`). */
export interface EventContext {
  topic: string;
  partition: number;
  /** Decimal string. */
  offset: string;
  key: string | null;
  headers: Readonly<Record<string, string>>;
  traceparent: string;
}

/** Applies a validated event of one type. */
export type EventHandler = (event: unknown, context: EventContext) => Promise<unknown>;
