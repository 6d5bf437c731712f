import type { RpcPattern } from '@po/contracts';
import type { z } from 'zod';
import type { Conditions } from '../http/conditions.js';
import { NoQuery, type PathParameter } from '../http/parameters.js';

/** What a client may do, as data: how a request of it is read and what a good answer (200) is. */
export interface Operation {
  /** One sentence for people who call it. */
  summary: string;
  method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** Behind the API's root; parameters as `:name`. */
  path: string;
  params: Record<string, PathParameter>;
  query: z.ZodObject;
  body: z.ZodType | null;
  /** Which conditional headers it takes. */
  conditions: Conditions;
  /** Not checked at run time. */
  reply: z.ZodType;
}

/** An operation that is one request of one service, whose answer is passed on as it is. */
export interface RelayedOperation extends Operation {
  pattern: RpcPattern;
  /** Commands: the path parameter, or the caller, whose commands are carried out one after another. */
  orderedBy: string | null;
  /** The pattern's request, of what was read. */
  ask(read: { params: Record<string, string>; query: Record<string, unknown>; body: unknown }): unknown;
}

/** The parameters that a path's template names. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | NamesIn<`/${Tail}`>
    : Rest
  : never;

type Params<Path extends string> = [NamesIn<Path>] extends [never]
  ? { params?: never }
  : { params: Record<NamesIn<Path>, PathParameter> };

interface RelayedDeclaration<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Pattern extends RpcPattern,
> extends Pick<Operation, 'summary' | 'method'> {
  path: Path;
  query?: Query;
  body?: Body;
  conditions?: Conditions;
  pattern: Pattern;
  orderedBy?: NamesIn<Path> | 'caller';
  ask(read: {
    params: Record<NamesIn<Path>, string>;
    query: z.output<Query>;
    body: z.output<Body>;
  }): z.input<Pattern['request']>;
}

const NOTHING = { params: {}, query: NoQuery, body: null, conditions: 'none', orderedBy: null } as const;

/** Declares an operation that is relayed: the compiler holds the path's parameters and the request to their declarations. */
export function relayed<
  const Path extends string,
  Pattern extends RpcPattern,
  Query extends z.ZodObject = typeof NoQuery,
  Body extends z.ZodType = z.ZodUndefined,
>(declaration: RelayedDeclaration<Path, Query, Body, Pattern> & Params<Path>): RelayedOperation {
  return { ...NOTHING, ...declaration, reply: declaration.pattern.reply } as RelayedOperation;
}

/** Declares an operation without parameters that a controller of its own answers. */
export function composed(declaration: Pick<Operation, 'summary' | 'method' | 'path' | 'reply'>): Operation {
  return { ...NOTHING, ...declaration };
}
