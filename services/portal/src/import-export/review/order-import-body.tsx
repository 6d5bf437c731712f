import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/api.js';
import { Reference } from '../../components/loading-and-errors/states.js';
import { useLanguage, useTexts } from '../../language/language.js';
import { IMPORT } from '../import-texts.js';
import type { OrderImport, Refusal } from '../run/order-import.js';
import { changesOf } from '../run/summary.js';
import { ChangesTable } from './changes-table.js';
import { ErrorsTable } from './errors-table.js';
import classes from './order-import.module.css';

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
