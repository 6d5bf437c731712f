import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi, useRole } from '../../api/api.js';
import { MAX_COMMENT } from '@po/contracts/constants';
import type { AvailableAction } from '../../api/schemas.js';
import { useFormats, useLanguage, useTexts } from '../../language/language.js';
import { StatusBadge } from './status-badge.js';
import { TRANSITION } from './transition-texts.js';
import classes from '../components.module.css';

/** The status after an action, and whether the user can undo it, according to the workflow's actions in that status. */
export function NewStatus({ action, count }: { action: AvailableAction; count: number }) {
  const { toStatusId: statusId, toStatus: status, toStatusZh: statusZh } = action;
  const { queries } = useApi();
  const texts = useTexts(TRANSITION);
  const { localized } = useLanguage();
  const role = useRole();
  const { data: next } = useQuery({ ...queries.actions(statusId, role ?? ''), enabled: role !== undefined });
  const { data: filters } = useQuery(queries.filters());
  const recall = next?.find((one) => one.action === 'RECALL');
  const isFinal = filters?.statusDetails.some((one) => one.statusId === statusId && one.isTerminal);
  return (
    <p className={classes.newStatus}>
      {texts.becomes(count)}
      <StatusBadge status={{ statusId, status, statusZh }} />
      {recall && <span>{texts.undo(localized(recall.label, recall.labelZh))}</span>}
      {isFinal && <span>{texts.final}</span>}
    </p>
  );
}

/** Number of characters by which a comment is too long; not positive if it is not. */
const excessOf = (comment: string): number => Array.from(comment.trim()).length - MAX_COMMENT;

export const isSendable = (comment: string, { requiresComment }: AvailableAction): boolean =>
  excessOf(comment) <= 0 && (!requiresComment || comment.trim() !== '');

/** The comment of an action. `hint`: who can read it. */
export function CommentField(props: {
  value: string;
  change: (text: string) => void;
  isRequired: boolean;
  hint: string;
}) {
  const { value, change, isRequired, hint } = props;
  const texts = useTexts(TRANSITION);
  const { quantity } = useFormats();
  const excess = excessOf(value);
  return (
    <Textarea
      label={texts.comment}
      description={hint}
      placeholder={isRequired ? undefined : texts.optional}
      required={isRequired}
      data-autofocus
      autosize
      minRows={3}
      maxRows={10}
      value={value}
      error={excess > 0 && texts.tooLong(quantity(excess))}
      onChange={({ target }) => change(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}
