import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { ZodType, z } from 'zod';
import type { EventContext } from '../consuming/event-context.js';

type Handler<Event> = (event: Event, context: EventContext) => Promise<void>;

/**
 * Makes a controller method handle the events of a type. The method gets the validated event and its context, and the compiler checks it
 * against the schema of the type. `schemas` are those of the subscription.
 */
export function HandleEvent<S extends Record<string, ZodType>, T extends keyof S & string>(_schemas: S, type: T) {
  return <H extends Handler<z.infer<S[T]>>>(target: object, name: string, method: TypedPropertyDescriptor<H>): void => {
    EventPattern<string>(type)(target, name, method);
    Payload()(target, name, 0);
    Ctx()(target, name, 1);
  };
}
