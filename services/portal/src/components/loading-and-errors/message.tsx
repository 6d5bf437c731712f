import type { ReactNode } from 'react';
import { useTabTitle } from '../use-tab-title.js';
import classes from './states.module.css';

/** A message in place of content: the state, and the possible actions. */
export function Message(props: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  role?: 'alert' | 'status';
  /** `h1` if the page has no other content: also the title of the browser tab. `h3` in a section with its own title. */
  level?: 'h1' | 'h2' | 'h3';
}) {
  const { icon, title, children, actions, role, level: Title = 'h2' } = props;
  useTabTitle(Title === 'h1' ? title : null);
  return (
    <div className={classes.message} role={role}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <Title className={classes.title}>{title}</Title>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
