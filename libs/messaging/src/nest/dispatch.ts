import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import type { MessageHandler } from '@nestjs/microservices';
import { type Observable, isObservable, lastValueFrom, throwError } from 'rxjs';

/** Passes a handler's error unchanged to the transport, which distinguishes refusals, content errors and transient faults. */
@Catch()
export class RethrowFilter implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/** Calls a Nest handler and waits for its value; rejects with the error that the handler threw. */
export async function dispatch(handler: MessageHandler, payload: unknown, context: unknown): Promise<unknown> {
  const result: unknown = await handler(payload, context);
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}
