import { NEGOTIATED, NEGOTIATED_FIELDS, type NegotiatedField } from '@po/contracts';
import type { Negotiated, NegotiatedHeader } from '../domain/order.js';
import { byNegotiatedField } from '../domain/values.js';

type Value<Field extends NegotiatedField> = NegotiatedHeader[Field]['original'];
type Name<
  Field extends NegotiatedField,
  Kind extends 'original' | 'reply' | 'agreed',
> = (typeof NEGOTIATED)[Field][Kind];

/** The column values of negotiated fields. */
export type NegotiatedColumns = {
  [Field in NegotiatedField as Name<Field, 'original'> | `source${Capitalize<Field>}`]: Value<Field>;
} & { [Field in NegotiatedField as Name<Field, 'reply' | 'agreed'>]: Value<Field> | null } & {
  [Field in NegotiatedField as `${Field}${'SourceChanged' | 'Edited'}`]: boolean;
};

/** The properties of a field's columns, by the members of `Negotiated`. Computed once, because thousands of orders are read. */
const PROPERTIES = byNegotiatedField<Record<NegotiatedField, Properties>>(propertiesOf);
type Properties = ReturnType<typeof propertiesOf>;

function propertiesOf(field: NegotiatedField) {
  const { original, reply, agreed } = NEGOTIATED[field];
  const source = `source${field.charAt(0).toUpperCase()}${field.slice(1)}` as `source${Capitalize<NegotiatedField>}`;
  const sourceChanged = `${field}SourceChanged` as const;
  const edited = `${field}Edited` as const;
  return { original, source, reply, agreed, sourceChanged, edited };
}

/** All columns with their properties, such as `vendorReplyXfd` for `vendor_reply_xfd`. */
export const NEGOTIATED_COLUMNS = NEGOTIATED_FIELDS.flatMap((field) => {
  const { sourceChanged, edited, ...values } = PROPERTIES[field];
  const { type } = NEGOTIATED[field];
  return [
    ...Object.values(values).map((property) => ({ property, column: columnOf(property), type })),
    ...[sourceChanged, edited].map((property) => ({ property, column: columnOf(property), type: 'boolean' as const })),
  ];
});

function columnOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export const negotiatedOf = (row: NegotiatedColumns): NegotiatedHeader =>
  byNegotiatedField<NegotiatedHeader>((field): Negotiated<string | null> => {
    const { original, source, reply, agreed, sourceChanged, edited } = PROPERTIES[field];
    return {
      original: row[original],
      source: row[source],
      reply: row[reply],
      agreed: row[agreed],
      sourceChanged: row[sourceChanged],
      edited: row[edited],
    };
  });

export function columnsOfNegotiated(header: NegotiatedHeader): NegotiatedColumns {
  const columns: Partial<Record<keyof NegotiatedColumns, string | boolean | null>> = {};
  for (const field of NEGOTIATED_FIELDS) {
    const names = PROPERTIES[field];
    const value = header[field];
    columns[names.original] = value.original;
    columns[names.source] = value.source;
    columns[names.reply] = value.reply;
    columns[names.agreed] = value.agreed;
    columns[names.sourceChanged] = value.sourceChanged;
    columns[names.edited] = value.edited;
  }
  return columns as NegotiatedColumns;
}
