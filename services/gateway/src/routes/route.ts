import { RequestMapping, RequestMethod } from '@nestjs/common';
import type { Operation } from './operation.js';

/** Makes a controller's method the handler of an operation. */
export const Route = ({ method, path }: Operation): MethodDecorator =>
  RequestMapping({ method: RequestMethod[method], path });
