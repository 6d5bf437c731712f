import { useDocumentTitle, useMediaQuery } from '@mantine/hooks';
import type { ReactNode, Ref } from 'react';
import { useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import styles from '../theme/text.module.css';
import classes from './components.module.css';

/**
 * The head of every page: what it is, what belongs to that, and what can be done. `title` is the browser's title too. `stays`: it is one
 * row, in sight however far one scrolls; what comes below it has `--above-stays` as its scroll margin, not to get the focus behind it.
 */
export function PageHeader(props: { title: string; beside?: ReactNode; actions?: ReactNode; stays?: boolean }) {
  const { title, beside, actions, stays = false } = props;
  const { product } = useTexts(TERMS);
  useDocumentTitle(`${title} · ${product}`);
  return (
    <header className={stays ? `${classes.head} ${classes.stays}` : classes.head}>
      <h1 className={classes.title} title={stays ? title : undefined}>
        {title}
      </h1>
      {stays ? <div className={classes.beside}>{beside}</div> : beside}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}

/** A part of a page with a frame and a name. `flush`: what is in it, such as a table, has the panel's frame as its own. */
export function Panel(props: {
  title: string;
  beside?: ReactNode;
  flush?: boolean;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}) {
  const { title, beside, flush = false, ref, children } = props;
  return (
    <section ref={ref} className={classes.panel}>
      <header className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{title}</h2>
        {beside}
      </header>
      <div className={flush ? classes.flush : classes.panelBody}>{children}</div>
    </section>
  );
}

/** Names and values below each other. A value that is null is shown as none. */
export function DescriptionList({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.descriptions}>
      {items.map(([name, value]) => (
        <div key={name} className={classes.description}>
          <dt>{name}</dt>
          <dd>{value ?? <None />}</dd>
        </div>
      ))}
    </dl>
  );
}

const None = () => <span className={styles.quiet}>–</span>;

/** Whether the window is a phone's, where tables become cards; right from the first paint. */
export const useNarrow = (): boolean => useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
