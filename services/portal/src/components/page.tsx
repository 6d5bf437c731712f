import { useDocumentTitle, useMediaQuery } from '@mantine/hooks';
import type { ReactNode, Ref } from 'react';
import { useTexts } from '../language/language.js';
import { TERMS } from '../language/terms.js';
import styles from '../theme/text.module.css';
import classes from './components.module.css';

/**
 * Page header: title, additional content and actions. `title` is also the title of the browser tab. `stays`: the header is one sticky
 * row; elements below it need the scroll margin `--above-stays`, so that focused elements are not hidden behind the header.
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

/** A framed section with a title. `flush`: without padding, for content such as a table that uses the panel's frame. */
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
