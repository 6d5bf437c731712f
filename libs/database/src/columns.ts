import { getMetadataArgsStorage } from 'typeorm';

export type EntityClass<T> = new () => T;

export interface EntityColumn {
  property: string;
  column: string;
  type: string;
  selected: boolean;
}

/** An entity's columns as its decorators declare them. */
export function columnsOf(entity: EntityClass<unknown>): EntityColumn[] {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName, options }) => ({
      property: propertyName,
      column: options.name ?? propertyName,
      type: String(options.type),
      selected: options.select !== false,
    }));
}
