import type { FastifyInstance } from 'fastify';

export interface RegisteredRoute {
  method: string;
  /** Parameters as `:name`. */
  template: string;
}

/** Every route that an application answers, whoever registered it. */
export function registeredRoutes(instance: FastifyInstance): RegisteredRoute[] {
  const trail: string[] = [];
  return instance
    .printRoutes({ commonPrefix: false })
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, tree = '', part = '', methods = ''] = /^([│├└─ ]*)(\S+) \((.+)\)$/.exec(line) ?? [];
      if (part === '') throw new Error(`not understood: ${line}`);
      trail.splice(tree.length / 4 - 1, Infinity, part);
      return methods.split(', ').map((method) => ({ method, template: trail.join('') }));
    });
}
