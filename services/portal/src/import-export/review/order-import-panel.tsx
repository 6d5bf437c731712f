import { Loader, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconArrowUpRight, IconCheck, IconChevronRight, IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { IMPORT } from '../import-texts.js';
import { type OrderImport, kindOf } from '../run/order-import.js';
import { changesOf } from '../run/summary.js';
import { OrderImportBody } from './order-import-body.js';
import classes from './order-import.module.css';

/** The import of one order: its changes, errors and result. */
export function OrderImportPanel(props: { part: OrderImport; isOnly: boolean; isOpenAtFirst: boolean }) {
  const { part, isOnly, isOpenAtFirst } = props;
  const texts = useTexts(IMPORT);
  const { newTab } = useTexts(TERMS);
  const { quantity } = useFormats();
  const [chosen, setOpen] = useState<boolean | null>(null);
  const body = useId();
  const { poRef, rowIds, state } = part;
  const rows = rowIds.length;
  const isUnknown = state.at === 'refused' && state.refusal.kind === 'unknown';
  // If the file changes nothing in an order, the API was not asked whether the user can see that order.
  const isKnown = state.at === 'checked' ? state.preview.version > 0 : !isUnknown;
  const hasBody =
    !['waiting', 'same'].includes(kindOf(part)) && (state.at !== 'checking' || changesOf(part).length > 0);
  const isOpen = hasBody && (isOnly || (chosen ?? isOpenAtFirst));
  return (
    <section className={classes.part} aria-label={poRef} data-part={poRef} data-kind={kindOf(part)}>
      <header className={classes.partHead}>
        {isOnly || !hasBody ? (
          <span className={classes.partTitle}>
            {!isOnly && <span className={classes.noChevron} />}
            <h2>{poRef}</h2>
          </span>
        ) : (
          <UnstyledButton
            className={classes.partTitle}
            aria-expanded={isOpen}
            aria-controls={body}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={16} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
            <h2>{poRef}</h2>
          </UnstyledButton>
        )}
        <Badge part={part} />
        <span className={classes.partRows}>{texts.rowsOf(rows, quantity(rows))}</span>
        {isKnown && (
          <Link
            to="/orders/$poRef"
            params={{ poRef }}
            target="_blank"
            className={classes.open}
            aria-label={`${texts.open} ${poRef} ${newTab}`}
          >
            <span>{texts.open}</span>
            <IconArrowUpRight size={16} aria-hidden />
          </Link>
        )}
      </header>
      <div id={body} hidden={!isOpen}>
        {isOpen && <OrderImportBody part={part} />}
      </div>
    </section>
  );
}

/** Status as icon, color and text. */
function Badge({ part }: { part: OrderImport }) {
  const texts = useTexts(IMPORT);
  const { quantity } = useFormats();
  const { state } = part;
  const count = changesOf(part).length;
  const as = (tone: string, icon: ReactNode, text: string) => (
    <span className={classes.badge} data-tone={tone}>
      {icon}
      {text}
    </span>
  );
  switch (state.at) {
    case 'waiting':
      return as('quiet', null, texts.kinds.waiting);
    case 'checking':
    case 'applying':
      return as('quiet', <Loader size={12} aria-hidden />, texts.kinds[state.at]);
    case 'applied':
      return as(
        'good',
        <IconCheck size={14} aria-hidden />,
        `${texts.kinds.applied} · ${texts.changes(count, quantity(count))}`,
      );
    case 'refused':
      return as(
        state.refusal.kind === 'locked' ? 'warning' : 'bad',
        state.refusal.kind === 'locked' ? (
          <IconLock size={14} aria-hidden />
        ) : (
          <IconAlertTriangle size={14} aria-hidden />
        ),
        texts.kinds[state.refusal.kind],
      );
    case 'checked': {
      const errors = state.preview.errors.length;
      if (errors > 0)
        return as('bad', <IconAlertTriangle size={14} aria-hidden />, texts.errors(errors, quantity(errors)));
      return count > 0
        ? as('accent', null, texts.changes(count, quantity(count)))
        : as('quiet', null, texts.kinds.same);
    }
  }
}
