import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What every path of the API begins with. */
export const API_ROOT = '/api';
/** Template of what answers preflights, and visitors of the portal who are lost, whatever their path. */
export const ANY_PATH = '*';

/** Any other is one that no route has; there are dozens. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The template of the route that answers; null for unknown paths and for preflights, which may ask for any. */
export const templateOf = ({ routeOptions: { url = ANY_PATH } }: FastifyRequest): string | null =>
  url === ANY_PATH ? null : url;

/** The routes as they were registered: tells a wrong method from a path that does not exist. */
export class RouteTable {
  private readonly routes: { path: RegExp; template: string; methods: Set<string> }[] = [];

  /** Learns every route that is registered after this call. */
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

  /** Methods of a path; empty for one that does not exist. */
  methodsOf(path: string): string[] {
    // A word in the place of a parameter may be both: a route of its own, and what the parameter is for other methods.
    const routes = this.routes.filter((route) => route.path.test(path));
    return [...new Set(routes.flatMap(({ methods }) => [...methods]))].toSorted();
  }
}
