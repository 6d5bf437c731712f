import type { ErrorCode, ReplyHttpHeader, RpcPattern } from '@po/contracts';
import { z } from 'zod';
import type { Acceptance } from '../http/body-bytes.js';
import type { Conditions } from '../http/conditions.js';
import { NoQuery, type PathParameter } from '../http/parameters.js';

/** Bytes of one of these media types. */
export interface Media {
  media: readonly string[];
}

/** Of an answer: one that services may set, or one that goes with a file. */
type AnswerHeader = ReplyHttpHeader | 'content-disposition';

/** What a client may do, as data: how a request of it is read and what a good answer is. */
export interface Operation {
  /** Which of the documents' chapters it is in. */
  tag: 'Purchase orders' | 'Notifications' | 'Dashboard' | 'Lookups' | 'Users' | 'Views' | 'Approval policies' | 'Mail';
  /** One sentence for people who call it. */
  summary: string;
  /** What the sentence leaves open, in CommonMark. */
  description: string;
  method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE';
  /** Behind the API's root; parameters as `:name`. */
  path: string;
  params: Record<string, PathParameter>;
  query: z.ZodObject;
  /** JSON of this schema, a file, or nothing. */
  body: z.ZodType | Acceptance | null;
  /** Which conditional headers it takes. */
  conditions: Conditions;
  /** Codes that are its own: what its parameters, its body, its conditions and every operation can be refused for is known. */
  refusals: readonly ErrorCode[];
  /** What a good answer can be; 201 has `Location`. */
  statuses: readonly (200 | 201 | 204)[];
  /** Not checked at run time; null: without a body. */
  reply: z.ZodType | Media | null;
  /** Of a good answer, beside those of its conditions and of every answer. */
  headers: readonly AnswerHeader[];
}

/** An operation that is one request of one service, whose answer is passed on as it is. */
export interface ProxiedOperation extends Operation {
  body: z.ZodType | null;
  pattern: RpcPattern;
  /** Commands: the path parameter, or the caller, whose commands are carried out one after another. */
  orderedBy: string | null;
  /** Builds the payload of the pattern's request. */
  payload(read: { params: Record<string, string>; query: Record<string, unknown>; body: unknown }): unknown;
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

interface ProxiedDeclaration<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Pattern extends RpcPattern,
> extends Pick<Operation, 'tag' | 'summary' | 'description' | 'method'> {
  path: Path;
  query?: Query;
  body?: Body;
  conditions?: Conditions;
  refusals?: readonly ErrorCode[];
  statuses?: Operation['statuses'];
  headers?: readonly AnswerHeader[];
  pattern: Pattern;
  orderedBy?: NamesIn<Path> | 'caller';
  payload(read: {
    params: Record<NamesIn<Path>, string>;
    query: z.output<Query>;
    body: z.output<Body>;
  }): z.input<Pattern['request']>;
}

const NOTHING = {
  params: {},
  query: NoQuery,
  body: null,
  conditions: 'none',
  refusals: [],
  headers: [],
  statuses: [200],
} as const;

/** Declares an operation that is proxied: the compiler holds the path's parameters and the request to their declarations. */
export function proxied<
  const Path extends string,
  Pattern extends RpcPattern,
  Query extends z.ZodObject = typeof NoQuery,
  Body extends z.ZodType = z.ZodUndefined,
>(declaration: ProxiedDeclaration<Path, Query, Body, Pattern> & Params<Path>): ProxiedOperation {
  const { reply } = declaration.pattern;
  const answer = reply instanceof z.ZodUndefined ? { reply: null, statuses: [204] } : { reply };
  return { ...NOTHING, orderedBy: null, ...answer, ...declaration } as ProxiedOperation;
}

type Optional = keyof typeof NOTHING;

/** Declares an operation that a controller of its own answers. */
export function custom<const O extends Omit<Operation, Optional> & Partial<Pick<Operation, Optional>>>(
  declaration: O,
): Omit<typeof NOTHING, keyof O> & O {
  return { ...NOTHING, ...declaration };
}
