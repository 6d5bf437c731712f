import { Popover, UnstyledButton } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { useApi } from '../api/api.js';
import { dictionary } from '../language/dictionary.js';
import { useFormats, useTexts } from '../language/language.js';
import { AsyncBoundary } from '../components/loading-and-errors/states.js';
import { TextSkeleton } from '../components/loading-and-errors/skeletons.js';
import classes from './bell.module.css';

/** Texts of the bell only; its list is loaded on demand and has its own. */
const BELL = dictionary({
  title: ['Notifications', '通知'],
  unread: (count: string) => [`Notifications, ${count} unread`, `通知，${count} 条未读`],
});

const BellList = lazy(() => import('./bell-list.js'));
/** A larger count is shown as “99+”. */
const COUNTED_UP_TO = 99;

/** The number of unread notifications; opens their list. */
export function Bell() {
  const texts = useTexts(BELL);
  const formats = useFormats();
  const { queries } = useApi();
  const [opened, setOpened] = useState(false);
  const { data: unread = 0 } = useQuery(queries.unread());
  const shown = unread > COUNTED_UP_TO ? `${COUNTED_UP_TO}+` : formats.quantity(unread);
  // The accessible name contains the visible text, so that voice control understands “click 99+”.
  const name = unread === 0 ? texts.title : texts.unread(shown);
  return (
    <Popover
      position="bottom-end"
      width="min(420px, calc(100vw - 16px))"
      trapFocus
      returnFocus
      opened={opened}
      onChange={setOpened}
    >
      <Popover.Target>
        <UnstyledButton aria-label={name} className={classes.bell} onClick={() => setOpened(!opened)}>
          <IconBell size={16} aria-hidden />
          {unread > 0 && (
            <span className={classes.count} aria-hidden>
              {shown}
            </span>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} className={classes.dropdown} aria-label={texts.title}>
        <AsyncBoundary
          skeleton={
            <div className={classes.waiting}>
              <TextSkeleton lines={6} />
            </div>
          }
        >
          <BellList unread={unread} close={() => setOpened(false)} />
        </AsyncBoundary>
      </Popover.Dropdown>
    </Popover>
  );
}
