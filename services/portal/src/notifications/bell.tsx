import { Popover, UnstyledButton } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { useFormats, useTexts } from '../language/language.js';
import { BELL } from './texts.js';
import classes from './bell.module.css';

/** Above that it is only said that there are many. */
const COUNTED_UP_TO = 99;

/** How many notifications are unread. */
export function Bell() {
  const texts = useTexts(BELL);
  const formats = useFormats();
  const { queries } = useApi();
  const { data: unread = 0 } = useQuery(queries.unread());
  const name = unread === 0 ? texts.title : texts.unread(formats.quantity(unread));
  return (
    <Popover position="bottom-end" width={320} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton aria-label={name} className={classes.bell}>
          <IconBell size={16} />
          {unread > 0 && (
            <span className={classes.count} aria-hidden>
              {unread > COUNTED_UP_TO ? `${COUNTED_UP_TO}+` : unread}
            </span>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>{unread === 0 ? texts.none : name}</Popover.Dropdown>
    </Popover>
  );
}
