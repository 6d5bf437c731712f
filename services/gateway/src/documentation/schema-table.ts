import type { Locale } from '@po/contracts';
import { type Markup, html } from './html.js';
import { type JsonSchema, typeOf } from './json-schema.js';
import { type Bilingual, table } from './layout.js';
import { inline } from './markdown.js';

const WORDS = {
  field: { en: 'Field', zh: '字段' },
  type: { en: 'Type', zh: '类型' },
  meaning: { en: 'Meaning', zh: '含义' },
} satisfies Record<string, Bilingual>;

const LIMITS = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems', 'multipleOf'];

/** Anchor of a named schema on its page. */
export const anchorOf = (name: string): string => `schema-${name}`;

const linkTo = (name: string): Markup => html`<a href="#${anchorOf(name)}">${name}</a>`;

/** A row for each field of an object, including fields of nested objects. Texts in schemas are English. */
export const schemaTable = (schema: JsonSchema, locale: Locale): Markup =>
  table(
    [WORDS.field[locale], WORDS.type[locale], WORDS.meaning[locale]],
    fieldsOf(schema, '').map(({ name, field }) => [
      html`<code>${name}</code>`,
      html`<code>${typeOf(field, linkTo)}</code>`,
      html`<span lang="en">${inline(meaningOf(field), locale)}</span>`,
    ]),
  );

interface Row {
  name: string;
  field: JsonSchema;
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, path: string): Row[] {
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = path + key;
    const inside = field.items ? fieldsOf(field.items, `${name}[].`) : fieldsOf(field, `${name}.`);
    return [{ name: required.includes(key) ? name : `${name}?`, field }, ...inside];
  });
}

function meaningOf(field: JsonSchema): string {
  const limits = LIMITS.filter((limit) => field[limit] !== undefined).map(
    (limit) => `\`${limit} ${String(field[limit])}\``,
  );
  return [field.description ?? '', limits.join(', ')].filter(Boolean).join(' ');
}
