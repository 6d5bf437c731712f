import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Beginning of every API path. */
export const API_ROOT = '/api';
/** Template of the catch-all routes for preflights and for unknown pages of the portal. */
export const ANY_PATH = '*';

/** Methods that a route may have; dozens of others exist. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Template of the matched route; null for unknown paths and for preflights, which match any path. */
export const templateOf = ({ routeOptions: { url = ANY_PATH } }: FastifyRequest): string | null =>
  url === ANY_PATH ? null : url;

/** The registered routes, to tell a wrong method from an unknown path. */
export class RouteTable {
  private readonly routes: { path: RegExp; template: string; methods: Set<string> }[] = [];

  /** Records every route that is registered after this call. */
  observe(instance: FastifyInstance): void {
    instance.addHook('onRoute', ({ url, method }) => {
      if (url === ANY_PATH) return;
      let route = this.routes.find(({ template }) => template === url);
      if (!route) {
        const pattern = url.replaceAll('.', '[.]').replaceAll(/:\w+/g, '[^/]+');
        route = { path: new RegExp(`^${pattern}$`), template: url, methods: new Set() };
        this.routes.push(route);
      }
      for (const name of [method].flat()) route.methods.add(name);
    });
  }

  /** Methods of a path; empty if it does not exist. */
  methodsOf(path: string): string[] {
    // A path may match both a literal route and, for other methods, a route with a parameter.
    const routes = this.routes.filter((route) => route.path.test(path));
    return [...new Set(routes.flatMap(({ methods }) => [...methods]))].toSorted();
  }
}
