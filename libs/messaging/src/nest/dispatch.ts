import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import type { MessageHandler } from '@nestjs/microservices';
import { type Observable, isObservable, lastValueFrom, throwError } from 'rxjs';

/** Hands a handler's error to the transport as it is: the transport knows refusals, content errors and passing faults apart. */
@Catch()
export class PassErrorsOn implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/** Calls a Nest handler and waits for its value; rejects with what the handler threw. */
export async function dispatch(handler: MessageHandler, payload: unknown, context: unknown): Promise<unknown> {
  const result: unknown = await handler(payload, context);
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}
