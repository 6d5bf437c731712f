import { type Markup, html } from './html.js';

/** The subset of JSON Schema 2020-12 that the project's documents use. */
export interface JsonSchema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [limit: string]: unknown;
}

/** Type of a value in TypeScript notation; `named` renders a reference to a named schema. */
export function typeOf(schema: JsonSchema, named: (name: string) => Markup): Markup {
  const { $ref, type, const: only, enum: values, format, items } = schema;
  const inner = (part: JsonSchema) => typeOf(part, named);
  if ($ref !== undefined) return named($ref.slice($ref.lastIndexOf('/') + 1));
  if (only !== undefined) return html`${JSON.stringify(only)}`;
  if (values !== undefined) return joined(values.map((value) => html`${JSON.stringify(value)}`));
  const choices = schema.anyOf ?? schema.allOf;
  if (choices !== undefined) return joined(choices.map(inner));
  if (items !== undefined) return items.enum ? html`(${inner(items)})[]` : html`${inner(items)}[]`;
  const types = [type ?? 'any'].flat();
  return joined(types.map((one) => html`${one === 'null' ? one : (format ?? one)}`));
}

const joined = (parts: readonly Markup[]): Markup =>
  html`${parts.map((part, index) => html`${index === 0 ? '' : ' | '}${part}`)}`;
