import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode, Ref } from 'react';
import styles from '../theme/text.module.css';
import { useTabTitle } from './use-tab-title.js';
import classes from './components.module.css';

/**
 * Page header: title, additional content and actions. `title` is also the title of the browser tab. `isSticky`: the header is one sticky
 * row; elements below it need the scroll margin `--above-sticky`, so that focused elements are not hidden behind the header.
 */
export function PageHeader(props: { title: string; aside?: ReactNode; actions?: ReactNode; isSticky?: boolean }) {
  const { title, aside, actions, isSticky = false } = props;
  useTabTitle(title);
  return (
    <header className={isSticky ? `${classes.head} ${classes.sticky}` : classes.head}>
      <h1 className={classes.title} title={isSticky ? title : undefined}>
        {title}
      </h1>
      {isSticky ? <div className={classes.beside}>{aside}</div> : aside}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}

/** A framed section with a title. `flush`: without padding, for content such as a table that uses the panel's frame. */
export function Panel(props: {
  title: string;
  aside?: ReactNode;
  flush?: boolean;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}) {
  const { title, aside, flush = false, ref, children } = props;
  return (
    <section ref={ref} className={classes.panel}>
      <header className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{title}</h2>
        {aside}
      </header>
      <div className={flush ? classes.flush : classes.panelBody}>{children}</div>
    </section>
  );
}

/** List of names and values; a dash stands for a null value. */
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

/** Whether the window is as narrow as a phone's, where tables become cards; correct from the first render. */
export const useNarrow = (): boolean => useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
