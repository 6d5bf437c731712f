import { type EntityClass, columnsOf } from '@po/database';
import { getMetadataArgsStorage } from 'typeorm';

/** A statement that writes an entity's row: one text, prepared once. TypeORM's builders would compose it anew for every row. */
export interface RowStatement<Row> {
  text: string;
  /** The row's values in the order of the text's parameters, which are its first. */
  values: (row: Row) => unknown[];
}

/** Inserts an entity's row; a clause may follow, for example ON CONFLICT. `without` names what the database gives. */
export function insertStatement<T, Without extends keyof T = never>(
  entity: EntityClass<T>,
  without: readonly Without[] = [],
): RowStatement<Omit<T, Without>> {
  const { names, values } = writable(entity, without);
  const parameters = names.map((_, index) => `$${index + 1}`).join(', ');
  return { text: `INSERT INTO ${tableOf(entity)} (${names.join(', ')}) VALUES (${parameters})`, values };
}

/** Sets an entity's columns but those of `without`; more assignments or a WHERE clause follow. */
export function updateStatement<T, Without extends keyof T = never>(
  entity: EntityClass<T>,
  without: readonly Without[] = [],
): RowStatement<Omit<T, Without>> {
  const { names, values } = writable(entity, without);
  const assignments = names.map((name, index) => `${name} = $${index + 1}`).join(', ');
  return { text: `UPDATE ${tableOf(entity)} SET ${assignments}`, values };
}

/** Inserts an entity's row, or writes it over the one with the same key. */
export function upsertStatement<T>(entity: EntityClass<T>, key: keyof T): RowStatement<T> {
  const { text, values } = insertStatement(entity);
  return { text: `${text} ${overwriting(entity, [key])}`, values };
}

/** The clause by which an INSERT of all of an entity's columns writes a row over the one with the same key. */
export function overwriting<T>(entity: EntityClass<T>, key: readonly (keyof T)[]): string {
  const columns = columnsOf(entity);
  const isKey = ({ property }: { property: string }) => key.includes(property as keyof T);
  const names = columns.filter(isKey).map(({ column }) => column);
  const assignments = columns.filter((each) => !isKey(each)).map(({ column }) => `${column} = excluded.${column}`);
  return `ON CONFLICT (${names.join(', ')}) DO UPDATE SET ${assignments.join(', ')}`;
}

function writable<T>(entity: EntityClass<T>, without: readonly (keyof T)[]) {
  const columns = columnsOf(entity).filter(({ property }) => !without.includes(property as keyof T));
  return {
    names: columns.map(({ column }) => column),
    values: (row: object) =>
      columns.map(({ property, type }) => parameterOf((row as Record<string, unknown>)[property], type)),
  };
}

function tableOf(entity: EntityClass<unknown>): string {
  const name = getMetadataArgsStorage().filterTables(entity)[0]?.name;
  if (!name) throw new Error(`${entity.name} has no table name`);
  return name;
}

function parameterOf(value: unknown, type: string): unknown {
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  return type === 'json' ? JSON.stringify(value) : value;
}
