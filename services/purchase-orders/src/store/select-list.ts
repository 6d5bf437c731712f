import { type EntityClass, columnsOf } from '@po/database';

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
