import { type ErrorCode, NoParameters, type ReplyHttpHeader, type RpcPattern } from '@po/contracts';
import { z } from 'zod';
import type { Acceptance } from '../http/body-bytes.js';
import type { Conditions } from '../http/conditions.js';
import type { PathParameter } from '../http/parameters.js';

/** A file of one of these media types. */
export interface Media {
  media: readonly string[];
}

/** A response header: one that services may set, or one of files. */
type ResponseHeader = ReplyHttpHeader | 'content-disposition';

/** Declaration of an API operation: how its requests are read, and its success responses. */
export interface Operation {
  /** Chapter of the operation in the documents. */
  tag: 'Purchase orders' | 'Notifications' | 'Dashboard' | 'Lookups' | 'Users' | 'Views' | 'Approval policies' | 'Mail';
  /** One sentence for developers of clients. */
  summary: string;
  /** Details, in CommonMark. */
  description: string;
  method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the API's root; parameters as `:name`. */
  path: string;
  params: Record<string, PathParameter>;
  query: z.ZodObject;
  /** JSON of this schema, a file, or null for no body. */
  body: z.ZodType | Acceptance | null;
  /** Conditional headers that the operation reads. */
  conditions: Conditions;
  /** Error codes of this operation alone; those of its parameters, body and conditions, and of every operation, are known. */
  refusals: readonly ErrorCode[];
  /** Possible statuses of a success response; 201 has `Location`. */
  statuses: readonly (200 | 201 | 204)[];
  /** Schema of a success response, not checked at run time; null = no body. */
  reply: z.ZodType | Media | null;
  /** Headers of a success response, besides those of its conditions and of every response. */
  headers: readonly ResponseHeader[];
}

/** The path as OpenAPI writes it: `/purchase-orders/{poRef}`. */
export const pathTemplateOf = ({ path }: Operation): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** An operation that is one request to one service, whose answer is passed on unchanged. */
export interface ProxiedOperation extends Operation {
  body: z.ZodType | null;
  pattern: RpcPattern;
  /** For commands: the path parameter, or `caller`, whose commands run one after another. Null for queries. */
  orderedBy: string | null;
  /** Builds the payload of the service request. */
  payload(read: { params: Record<string, string>; query: Record<string, unknown>; body: unknown }): unknown;
}

/** Names of the parameters in a path template. */
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
  headers?: readonly ResponseHeader[];
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
  query: NoParameters,
  body: null,
  conditions: 'none',
  refusals: [],
  headers: [],
  statuses: [200],
} as const;

/** Declares a proxied operation. The compiler checks the path parameters and the payload against their declarations. */
export function proxied<
  const Path extends string,
  Pattern extends RpcPattern,
  Query extends z.ZodObject = typeof NoParameters,
  Body extends z.ZodType = z.ZodUndefined,
>(declaration: ProxiedDeclaration<Path, Query, Body, Pattern> & Params<Path>): ProxiedOperation {
  const { reply } = declaration.pattern;
  const answer = reply instanceof z.ZodUndefined ? { reply: null, statuses: [204] } : { reply };
  return { ...NOTHING, orderedBy: null, ...answer, ...declaration } as ProxiedOperation;
}

type Optional = keyof typeof NOTHING;

/** Declares an operation that has its own controller. */
export function custom<const O extends Omit<Operation, Optional> & Partial<Pick<Operation, Optional>>>(
  declaration: O,
): Omit<typeof NOTHING, keyof O> & O {
  return { ...NOTHING, ...declaration };
}
