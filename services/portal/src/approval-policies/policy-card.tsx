import { Button } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from '@tanstack/react-router';
import { type ApprovalPolicy, nameOf } from '../api/approval-policies.js';
import { DescriptionList, Panel } from '../components/page.js';
import { RelativeTime } from '../components/relative-time.js';
import { useTexts } from '../language/language.js';
import { PolicyHistory } from './policy-history.js';
import { POLICIES } from './texts.js';
import { useLimits } from './use-limits.js';
import layout from '../theme/layout.module.css';
import classes from './policies.module.css';

/** A policy in words, and its history. `edit` and `remove` are undefined for read-only users. */
export function PolicyCard(props: {
  policy: ApprovalPolicy;
  edit: (() => void) | undefined;
  remove: (() => void) | undefined;
}) {
  const { policy, edit, remove } = props;
  const { vendorCode, enabled, version, updatedBy, updatedAt } = policy;
  const texts = useTexts(POLICIES);
  const { rowsOf } = useLimits();
  const title = vendorCode ?? texts.defaultTitle;
  const [isOpen, setOpen] = useState(false);
  const history = useId();
  const ref = useHashTarget(nameOf(policy));
  const action = (label: string) => ({ 'aria-label': texts.of(label, title), size: 'sm', variant: 'default' });
  return (
    <li ref={ref} tabIndex={-1} className={classes.card}>
      <Panel
        title={title}
        aside={
          <span className={classes.state} data-enabled={enabled}>
            {texts.states[enabled ? 'true' : 'false']}
          </span>
        }
      >
        {vendorCode === null && <p className={classes.note}>{texts.defaultNote}</p>}
        <DescriptionList items={rowsOf(policy)} />
        <p className={classes.changed}>
          {texts.changed(version, updatedBy.name ?? updatedBy.userId)} · <RelativeTime instant={updatedAt} />
        </p>
        <div className={layout.row}>
          {edit && (
            <Button {...action(texts.change)} onClick={edit}>
              {texts.change}
            </Button>
          )}
          {remove && (
            <Button {...action(texts.delete)} onClick={remove}>
              {texts.delete}
            </Button>
          )}
          <Button
            {...action(texts.history)}
            variant="subtle"
            aria-expanded={isOpen}
            aria-controls={history}
            onClick={() => setOpen(!isOpen)}
          >
            {texts.history}
          </Button>
        </div>
        <div id={history}>{isOpen && <PolicyHistory name={nameOf(policy)} title={title} />}</div>
      </Panel>
    </li>
  );
}

/** Scrolls to this policy and focuses it if the URL's hash names it, as links from approvals do. */
function useHashTarget(name: string) {
  const ref = useRef<HTMLLIElement>(null);
  const isTarget = useLocation({ select: ({ hash }) => hash === name });
  useEffect(() => {
    if (!isTarget) return;
    ref.current?.scrollIntoView({ block: 'center' });
    ref.current?.focus({ preventScroll: true });
  }, [isTarget]);
  return ref;
}
