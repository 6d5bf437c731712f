import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { AvailableAction } from '../../api/schemas.js';
import { DueLabel } from '../../components/due-label.js';
import { Flags } from '../../components/flags.js';
import { PageHeader, useNarrow } from '../../components/page.js';
import { StatusBadge } from '../../components/status-badge.js';
import { useLanguage, useTexts } from '../../language/language.js';
import type { Typing } from '../edit/use-order-edit.js';
import { TransitionDialog } from './transition-dialog.js';
import { HEAD } from './texts.js';
import classes from './head.module.css';

/** Where an order stands, and what this user can do about it now: what usually comes next first, what hurts apart. */
export function OrderHeader({ typing }: { typing: Typing }) {
  const { order } = typing.head;
  const texts = useTexts(HEAD);
  const { localized } = useLanguage();
  /** The dialog stays while the order moves on, so that nothing is lost of what was typed there. */
  const [asked, setAsked] = useState<AvailableAction | null>(null);
  const labelOf = ({ label, labelZh }: AvailableAction) => localized(label, labelZh);
  const { availableActions: actions } = order;
  useFocusKept(actions.map(({ action }) => action).join());
  const harmless = [...ofTone(actions, 'primary'), ...ofTone(actions, 'neutral')];
  // Beside the order's number a phone has room for what usually comes next.
  const shown = useNarrow() ? harmless.slice(0, 1) : harmless;
  const further = [...harmless.slice(shown.length), ...ofTone(actions, 'danger')];
  return (
    <>
      <PageHeader
        stays
        title={order.poNumber}
        beside={
          <>
            <span className={classes.state}>
              <StatusBadge status={order} />
              <Flags order={order} />
              <DueLabel order={order} />
            </span>
            <span className={classes.vendor}>{order.vendor}</span>
          </>
        }
        actions={
          actions.length > 0 && (
            <div className={classes.actions} role="group" aria-label={texts.actions}>
              {shown.map((action) => (
                <Button
                  key={action.action}
                  variant={action.tone === 'primary' ? 'filled' : 'default'}
                  onClick={() => setAsked(action)}
                >
                  {labelOf(action)}
                </Button>
              ))}
              {further.length > 0 && (
                <Menu>
                  <Menu.Target>
                    <ActionIcon variant="default" aria-label={texts.more}>
                      <IconDots size={16} />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    {further.map((action, index) => (
                      <Menu.Item
                        key={action.action}
                        className={action.tone === 'danger' ? classes.danger : undefined}
                        data-autofocus={index === 0 || undefined}
                        onClick={() => setAsked(action)}
                      >
                        {labelOf(action)}…
                      </Menu.Item>
                    ))}
                  </Menu.Dropdown>
                </Menu>
              )}
            </div>
          )
        }
      />
      {asked && <TransitionDialog key={asked.action} action={asked} typing={typing} close={() => setAsked(null)} />}
    </>
  );
}

/** A button that had the focus may go with what it did, also by others: the content has it then, what comes next is one key away. */
function useFocusKept(actions: string): void {
  const known = useRef(actions);
  useEffect(() => {
    if (known.current === actions) return;
    known.current = actions;
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
  }, [actions]);
}

const ofTone = (actions: readonly AvailableAction[], tone: AvailableAction['tone']) =>
  actions.filter((action) => action.tone === tone);
