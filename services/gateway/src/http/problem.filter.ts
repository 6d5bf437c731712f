import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { PROBLEM_CONTENT_TYPE, ProblemError, problemDocument } from '@po/contracts';
import type { Logger } from '@po/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RequestContext, beginRequest } from './request-context.js';
import type { RouteTable } from './route-table.js';

/** Answers every error with problem+json in the caller's language, without internal details. */
@Catch()
export class ProblemFilter implements ExceptionFilter<unknown> {
  constructor(
    private readonly routes: RouteTable,
    private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    // Errors of the router itself arrive before any hook has run.
    if (!(request.context as RequestContext | undefined)) beginRequest(request, reply);
    const { locale, path } = request.context;
    const problem = this.problemOf(error, path);
    if (problem.code === 'INTERNAL') this.logger.error({ err: error, requestId: request.id }, 'a request failed');
    request.context.refusal = problem.code;
    if (reply.sent) return;
    reply
      .code(problem.status)
      .headers({ 'cache-control': 'no-store', 'content-language': locale, ...problem.options.headers })
      .type(PROBLEM_CONTENT_TYPE)
      .send(JSON.stringify(problemDocument(problem, { locale, instance: path, requestId: request.id })));
  }

  private problemOf(error: unknown, path: string): ProblemError {
    if (error instanceof ProblemError) return error;
    const status = error instanceof HttpException ? error.getStatus() : 500;
    if (status === 404) return this.noRoute(path);
    return new ProblemError(status < 500 ? 'BAD_REQUEST' : 'INTERNAL');
  }

  private noRoute(path: string): ProblemError {
    const methods = this.routes.methodsOf(path);
    if (methods.length === 0) return new ProblemError('ROUTE_NOT_FOUND');
    const allow = methods.join(', ');
    return new ProblemError('METHOD_NOT_ALLOWED', {}, { headers: { allow }, hidden: { allow } });
  }
}
