import { IconArrowDown, IconArrowRight, IconArrowUp, IconEraser, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/api.js';
import { Reference } from '../../components/loading-and-errors/states.js';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import type { OrderImport, Refusal, RowError } from '../run/order-import.js';
import { type ShownChange, changesOf } from '../run/summary.js';
import { LongTable } from '../../components/long-table.js';
import { TERMS } from '../../language/terms.js';
import classes from './order-import.module.css';
import table from '../../theme/table.module.css';
import styles from '../../theme/text.module.css';

/** Hints, errors and changes of an order's lines. */
export function OrderImportBody({ part }: { part: OrderImport }) {
  const { hints } = useTexts(IMPORT);
  const { state } = part;
  const changes = changesOf(part);
  const errors = state.at === 'checked' ? state.preview.errors : [];
  return (
    <>
      {errors.length > 0 && <Hint tone="bad">{hints.faulty}</Hint>}
      {state.at === 'checked' && state.hasMoved && <Hint tone="warning">{hints.moved}</Hint>}
      {state.at === 'refused' && <RefusalHint refusal={state.refusal} isUnclear={state.preview !== null} />}
      {errors.length > 0 && (
        <div className={classes.tableFrame}>
          <ErrorsTable errors={errors} poRef={part.poRef} />
        </div>
      )}
      {changes.length > 0 && (
        <div className={classes.tableFrame}>
          <ChangesTable changes={changes} />
        </div>
      )}
    </>
  );
}

function RefusalHint({ refusal, isUnclear }: { refusal: Refusal; isUnclear: boolean }) {
  const { hints } = useTexts(IMPORT);
  const { localized } = useLanguage();
  const { queries } = useApi();
  const { data: filters } = useQuery(queries.filters());
  const { kind, message, requestId, statusId } = refusal;
  const status = filters?.statusDetails.find((one) => one.statusId === statusId);
  const name = status && localized(status.status, status.statusZh);
  const reasons = {
    locked: name === undefined ? hints.lockedPlainly : hints.locked(name),
    unknown: hints.unknown,
    forbidden: hints.forbidden,
    noAnswer: isUnclear ? hints.unclear : hints.notChecked,
    // The API's message is in the user's language.
    problem: message,
  };
  return (
    <Hint tone={kind === 'locked' ? 'warning' : 'bad'}>
      {reasons[kind]}
      {kind === 'problem' && <Reference id={requestId} />}
    </Hint>
  );
}

const Hint = ({ tone, children }: { tone: 'bad' | 'warning'; children: ReactNode }) => (
  <div className={classes.hint} data-tone={tone}>
    <IconInfoCircle size={16} aria-hidden />
    <span>{children}</span>
  </div>
);

/** Errors in a file, with row numbers as in a spreadsheet. */
function ErrorsTable({ errors, poRef }: { errors: readonly RowError[]; poRef: string }) {
  const { columns } = useTexts(IMPORT);
  const { localized } = useLanguage();
  const { quantity } = useFormats();
  return (
    <LongTable
      className={classes.table}
      head={
        <>
          <th scope="col" className={`${table.number} ${classes.rowNumber}`}>
            {columns.row}
          </th>
          <th scope="col">{columns.column}</th>
          <th scope="col">{columns.wrong}</th>
          <th scope="col" className={classes.codeColumn}>
            {columns.code}
          </th>
        </>
      }
      rows={errors}
      rowOf={({ row, column, code, message, messageZh }) => (
        <tr key={`${poRef} ${row} ${column} ${code}`}>
          <td className={table.number}>{quantity(row)}</td>
          <td className={classes.columnName}>{column ?? '–'}</td>
          <td className={classes.wrong}>{localized(message, messageZh)}</td>
          <td className={classes.codeColumn}>
            <code>{code}</code>
          </td>
        </tr>
      )}
    />
  );
}

function ChangesTable({ changes }: { changes: readonly ShownChange[] }) {
  const { columns } = useTexts(IMPORT);
  const terms = useTexts(TERMS);
  const { list } = useFormats();
  return (
    <LongTable
      className={classes.table}
      head={
        <>
          <th scope="col">{columns.line}</th>
          <th scope="col">{columns.value}</th>
          <th scope="col" className={table.number}>
            {columns.change}
          </th>
        </>
      }
      rows={changes}
      rowOf={(change) => (
        <tr key={change.key}>
          <td>
            {[change.style, change.color, list(change.sizes)].join(' · ')}
            {change.code !== change.style && <span className={classes.code}>{change.code}</span>}
          </td>
          <td>{terms[change.field]}</td>
          <td className={table.number}>
            <Difference change={change} />
          </td>
        </tr>
      )}
    />
  );
}

/** As on the page of the order: the new value with icon and color, the old value struck through, and the difference. */
function Difference({ change: { field, from, to } }: { change: ShownChange }) {
  const texts = useTexts(IMPORT);
  const { quantity, price } = useFormats();
  const written = field === 'vendorReplyUnitPrice' ? price : quantity;
  const before = from === null ? texts.none : <s>{written(from)}</s>;
  if (to === null) {
    return (
      <span className={classes.change}>
        <span className={styles.quiet}>{before}</span>
        <b data-tone="down">
          <IconEraser size={14} aria-hidden /> {texts.cleared}
        </b>
      </span>
    );
  }
  const isUp = from === null || to > from;
  const Icon = from === null ? IconArrowRight : isUp ? IconArrowUp : IconArrowDown;
  return (
    <span className={classes.change}>
      <span className={styles.quiet}>
        {before}
        {from !== null && ` ${isUp ? '+' : '−'}${written(Math.abs(to - from))}`}
      </span>
      <b data-tone={from === null ? 'new' : isUp ? 'up' : 'down'}>
        <Icon size={14} aria-hidden />
        {written(to)}
      </b>
    </span>
  );
}
