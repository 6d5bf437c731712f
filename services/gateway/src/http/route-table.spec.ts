import { expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { RouteTable } from './route-table.js';

it('RouteTable finds the methods of a path by its template, in which a dot matches only a dot', () => {
  const routes = new RouteTable();
  const instance = fastify();
  routes.observe(instance);
  instance.get('/portal.json', () => null);
  instance.put('/orders/:poRef/lines', () => null);
  const paths = ['/portal.json', '/portal-json', '/orders/PO.1/lines', '/orders/a/b/lines'];
  expect(paths.map((path) => routes.methodsOf(path))).toEqual([['GET', 'HEAD'], [], ['PUT'], []]);
});
