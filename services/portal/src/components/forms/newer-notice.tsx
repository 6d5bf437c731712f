import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import layout from '../../theme/layout.module.css';
import classes from './newer-notice.module.css';

/** Notice of changes by others during an edit. `settle` chooses whose conflicting values stay; null if there are no conflicts. */
export function NewerNotice(props: {
  title: string;
  texts: { mine: string; theirs: string };
  settle: ((takesTheirs: boolean) => void) | null;
  children: ReactNode;
}) {
  const { title, texts, settle, children } = props;
  return (
    <section className={classes.newer} role="alert" aria-label={title}>
      <b>{title}</b>
      {children}
      {settle && (
        <div className={layout.row}>
          <Button size="sm" variant="default" onClick={() => settle(false)}>
            {texts.mine}
          </Button>
          <Button size="sm" variant="default" onClick={() => settle(true)}>
            {texts.theirs}
          </Button>
        </div>
      )}
    </section>
  );
}
