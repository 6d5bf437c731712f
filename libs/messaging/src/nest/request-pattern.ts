import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { RequestOf, RpcPattern } from '@po/contracts';
import type { ReplyTo } from '../rpc/reply.js';
import type { RpcContext } from '../rpc/rpc-context.js';

type Handler<P extends RpcPattern> = (request: RequestOf<P>, context: RpcContext) => ReplyTo<P> | Promise<ReplyTo<P>>;

/**
 * Makes a controller method handle the requests of a pattern. The method gets the validated request and the context of the call, and the compiler
 * checks it against the pattern's schemas.
 */
export function RequestPattern<P extends RpcPattern>(pattern: P) {
  return <H extends Handler<P>>(target: object, name: string, method: TypedPropertyDescriptor<H>): void => {
    MessagePattern(pattern.type)(target, name, method);
    Payload()(target, name, 0);
    Ctx()(target, name, 1);
  };
}
