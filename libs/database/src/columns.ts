import { getMetadataArgsStorage } from 'typeorm';

export type EntityClass<T> = new () => T;

export interface EntityColumn {
  property: string;
  column: string;
  type: string;
  selected: boolean;
}

/** Columns of an entity as declared by its decorators. */
export function columnsOf(entity: EntityClass<unknown>): EntityColumn[] {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName, options }) => ({
      property: propertyName,
      column: options.name ?? propertyName,
      type: `${String(options.type)}${options.array ? '[]' : ''}`,
      selected: options.select !== false,
    }));
}

/** Table name of an entity. */
function tableOf(entity: EntityClass<unknown>): string {
  const name = getMetadataArgsStorage().filterTables(entity)[0]?.name;
  if (!name) throw new Error(`${entity.name} has no table name`);
  return name;
}

/**
 * Select list for rows in the entity's shape: the columns in `only`, or else those selected by default. Dates are `YYYY-MM-DD` text, so
 * that no time zone can shift them.
 */
export function selectList<T>(entity: EntityClass<T>, alias: string, only?: readonly (keyof T)[]): string {
  return columnsOf(entity)
    .filter(({ property, selected }) => (only ? only.includes(property as keyof T) : selected))
    .map(({ property, column, type }) => {
      const value = `${alias}.${column}`;
      return `${type === 'date' ? `to_char(${value}, 'YYYY-MM-DD')` : value} AS "${property}"`;
    })
    .join(', ');
}

/**
 * FROM item `n` with the entity's rows from the JSON array $1, whose keys are property names, and with `more` columns (`"name" type`).
 * A missing key is NULL.
 */
export function rowsIn(entity: EntityClass<unknown>, more: readonly string[] = []): string {
  const columns = [...columnsOf(entity).map(({ property, type }) => `"${property}" ${type}`), ...more];
  return `json_to_recordset($1::json) AS n(${columns.join(', ')})`;
}

/**
 * INSERT of the rows of `rowsIn`, without the columns in `without`; ON CONFLICT may follow. `overriding` inserts given ids instead of
 * generated ones.
 */
export function insertRows<T>(
  entity: EntityClass<T>,
  { without = [], overriding = false }: { without?: readonly (keyof T)[]; overriding?: boolean } = {},
): string {
  const columns = columnsOf(entity).filter(({ property }) => !without.includes(property as keyof T));
  const values = columns.map(({ property }) => `n."${property}"`);
  return `INSERT INTO ${tableOf(entity)} (${columns.map(({ column }) => column).join(', ')})${overriding ? ' OVERRIDING SYSTEM VALUE' : ''}
    SELECT ${values.join(', ')} FROM ${rowsIn(entity)}`;
}

/** ON CONFLICT clause with which an INSERT overwrites the row with the same key. */
export function onConflictUpdate<T>(entity: EntityClass<T>, key: readonly (keyof T)[]): string {
  const columns = columnsOf(entity);
  const isKey = ({ property }: EntityColumn) => key.includes(property as keyof T);
  const names = columns.filter(isKey).map(({ column }) => column);
  const assignments = columns.filter((each) => !isKey(each)).map(({ column }) => `${column} = excluded.${column}`);
  return `ON CONFLICT (${names.join(', ')}) DO UPDATE SET ${assignments.join(', ')}`;
}

/** Assignments of an UPDATE from a row `n` of `rowsIn`. */
export function assignments<T>(entity: EntityClass<T>, without: readonly (keyof T)[]): string {
  return columnsOf(entity)
    .filter(({ property }) => !without.includes(property as keyof T))
    .map(({ property, column }) => `${column} = n."${property}"`)
    .join(', ');
}

/**
 * Many rows as statement parameters from `$first` on: one array for each column, or for each column in `only`. Arrays cost PostgreSQL
 * half as much as JSON.
 */
export interface RowsParameters<Row> {
  /** FROM item `n`: the rows, with their column names. */
  rows: string;
  columns: string[];
  /** INSERT INTO … SELECT; ON CONFLICT may follow. */
  insert: string;
  values: (rows: readonly Row[]) => unknown[][];
}

export function rowsParameters<T>(
  entity: EntityClass<T>,
  first: number,
  only?: readonly (keyof T)[],
): RowsParameters<T> {
  const chosen = columnsOf(entity).filter(({ property }) => only?.includes(property as keyof T) ?? true);
  const columns = chosen.map(({ column }) => column);
  const arrays = chosen.map(({ type }, index) => `$${first + index}::${type}[]`).join(', ');
  const rows = `unnest(${arrays}) AS n(${columns.join(', ')})`;
  return {
    rows,
    columns,
    insert: `INSERT INTO ${tableOf(entity)} (${columns.join(', ')}) SELECT n.* FROM ${rows}`,
    values: (of) => chosen.map(({ property, type }) => of.map((row) => parameterOf((row as Row)[property], type))),
  };
}

/** One row as statement parameters from `$first` on. A wide row costs PostgreSQL half as much as JSON. */
export interface RowParameters<Row> {
  /** Columns, and their typed parameters in the same order. */
  columns: string[];
  parameters: string[];
  /** Number of the next free parameter. */
  next: number;
  /** Parameter values; all NULL for a null row. */
  values: (row: Row | null) => unknown[];
}

export function rowParameters<T, Without extends keyof T = never>(
  entity: EntityClass<T>,
  first: number,
  without: readonly Without[] = [],
): RowParameters<Omit<T, Without>> {
  const chosen = columnsOf(entity).filter(({ property }) => !without.includes(property as Without));
  return {
    columns: chosen.map(({ column }) => column),
    parameters: chosen.map(({ type }, index) => `$${first + index}::${type}`),
    next: first + chosen.length,
    values: (row) => chosen.map(({ property, type }) => parameterOf((row as Row | null)?.[property], type)),
  };
}

type Row = Record<string, unknown>;

function parameterOf(value: unknown, type: string): unknown {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return type === 'json' ? JSON.stringify(value) : value;
}
