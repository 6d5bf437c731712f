import type { Direction } from '../json-schema.js';
import type {
  Content,
  HeaderObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../openapi-document.js';
import { resolveReference, withoutAnnotations } from './flat-schema.js';
import { schemaBreakingChanges } from './schemas.js';

/** Breaking changes between two OpenAPI documents, each as a sentence that begins with its location. */
export function openApiBreakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return new OpenApiComparison(before, after).breaks();
}

class OpenApiComparison {
  constructor(
    private readonly before: OpenApiDocument,
    private readonly after: OpenApiDocument,
  ) {}

  breaks(): string[] {
    const { before, after } = this;
    const urls = after.servers.map(({ url }) => url);
    return [
      ...before.servers.filter(({ url }) => !urls.includes(url)).map(({ url }) => `the server ${url} is gone`),
      ...(same(before.security, after.security) ? [] : ['the security requirement of every operation has changed']),
      ...missing(before.components.securitySchemes, after.components.securitySchemes, 'the security scheme'),
      ...Object.entries(before.paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, old]) => {
          const at = `${method.toUpperCase()} ${path}`;
          const now = after.paths[path]?.[method];
          return now ? this.#operation(old, now, at) : [`${at} is gone`];
        }),
      ),
      ...this.#responses(before['x-other-paths'], after['x-other-paths'], 'any other path'),
    ];
  }

  #operation(old: OperationObject, now: OperationObject, at: string): string[] {
    const renamed = old.operationId === now.operationId ? [] : [`${at} is now called ${now.operationId}`];
    return [
      ...renamed,
      ...this.#parameters(old, now, at),
      ...this.#body(old, now, `${at} request`),
      ...this.#responses(old.responses, now.responses, at),
    ];
  }

  #parameters(old: OperationObject, now: OperationObject, at: string): string[] {
    const [before, after] = [this.#named(this.before, old), this.#named(this.after, now)];
    const kept = [...before].flatMap(([name, parameter]) => {
      const counterpart = after.get(name);
      if (!counterpart) return [`${at} ${name} is gone`];
      const needed = counterpart.required && !parameter.required ? [`${at} ${name} is required now`] : [];
      const isSameStyle = parameter.style === counterpart.style && parameter.explode === counterpart.explode;
      const restyled = isSameStyle ? [] : [`${at} ${name} is serialized differently now`];
      return [...needed, ...restyled, ...this.#schema(parameter.schema, counterpart.schema, 'input', `${at} ${name}`)];
    });
    const added = [...after].filter(([name, { required }]) => required && !before.has(name));
    return [...kept, ...added.map(([name]) => `${at} ${name} is new and required`)];
  }

  #named(document: OpenApiDocument, { parameters }: OperationObject): Map<string, ParameterObject> {
    const all = parameters.map((parameter) => resolved(document, parameter));
    return new Map(
      all.map((one) => [`${one.in} ${one.in === 'header' ? one.name.toLowerCase() : one.name}`, one] as const),
    );
  }

  #body({ requestBody: old }: OperationObject, { requestBody: now }: OperationObject, at: string): string[] {
    if (!old) return now?.required ? [`${at} is new and required`] : [];
    if (!now) return [`${at} is gone`];
    return [
      ...(now.required && !old.required ? [`${at} is required now`] : []),
      ...this.#content(old.content, now.content, 'input', at),
    ];
  }

  #responses(
    old: Record<string, ResponseObject | Reference>,
    now: Record<string, ResponseObject | Reference>,
    at: string,
  ): string[] {
    const added = Object.keys(now).filter((status) => Number(status) < 400 && !(status in old));
    return [
      ...Object.entries(old).flatMap(([status, response]) => {
        const counterpart = now[status];
        if (!counterpart) return [`${at} ${status} is gone`];
        return this.#response(resolved(this.before, response), resolved(this.after, counterpart), `${at} ${status}`);
      }),
      // Clients handle unknown error statuses generically, but treat every success like the one that they know.
      ...added.map((status) => `${at} ${status} is a new success status`),
    ];
  }

  #response(old: ResponseObject, now: ResponseObject, at: string): string[] {
    const headers = Object.entries(old.headers).flatMap(([name, header]) => {
      const counterpart = now.headers[name];
      return counterpart ? this.#header(header, counterpart, `${at} header ${name}`) : [`${at} header ${name} is gone`];
    });
    return [...headers, ...this.#content(old.content ?? {}, now.content ?? {}, 'output', at)];
  }

  #header(old: HeaderObject | Reference, now: HeaderObject | Reference, at: string): string[] {
    const [before, after] = [resolved(this.before, old), resolved(this.after, now)];
    const absent = before.required && !after.required ? [`${at} may be absent now`] : [];
    return [...absent, ...this.#schema(before.schema, after.schema, 'output', at)];
  }

  #content(old: Content, now: Content, direction: Direction, at: string): string[] {
    return Object.entries(old).flatMap(([media, { schema }]) => {
      const counterpart = now[media];
      return counterpart ? this.#schema(schema, counterpart.schema, direction, at) : [`${at} ${media} is gone`];
    });
  }

  #schema(old: Content[string]['schema'], now: typeof old, direction: Direction, at: string): string[] {
    return schemaBreakingChanges({ schema: old, root: this.before }, { schema: now, root: this.after }, direction, at);
  }
}

const resolved = <T extends object>(document: OpenApiDocument, part: T | Reference): T =>
  '$ref' in part ? (resolveReference(document, part.$ref) as T) : part;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Security schemes that were removed or changed. */
function missing(old: Record<string, unknown>, now: Record<string, unknown>, what: string): string[] {
  const isAnother = (name: string) => {
    const [before, after] = [old[name], now[name]].map((scheme) => withoutAnnotations(scheme));
    return !same(before, after);
  };
  return Object.keys(old)
    .filter(isAnother)
    .map((name) => `${what} ${name} was removed or changed`);
}
