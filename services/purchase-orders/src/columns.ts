import { getMetadataArgsStorage } from 'typeorm';

type EntityClass<T> = new () => T;

interface ColumnOf {
  property: string;
  column: string;
  type: string;
  selected: boolean;
}

/** An entity's columns as its decorators declare them. */
export function columnsOf(entity: EntityClass<unknown>): ColumnOf[] {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName, options }) => ({
      property: propertyName,
      column: options.name ?? propertyName,
      type: String(options.type),
      selected: options.select !== false,
    }));
}

/** The select list that gives rows in the entity's shape; dates as `YYYY-MM-DD` text, so that no time zone can shift them. */
export function selectList<T>(entity: EntityClass<T>, alias: string, only?: readonly (keyof T)[]): string {
  return columnsOf(entity)
    .filter(({ property, selected }) => (only ? only.includes(property as keyof T) : selected))
    .map(({ property, column, type }) => {
      const value = `${alias}.${column}`;
      return `${type === 'date' ? `to_char(${value}, 'YYYY-MM-DD')` : value} AS "${property}"`;
    })
    .join(', ');
}
