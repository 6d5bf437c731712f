import type { ReactNode } from 'react';
import classes from './states.module.css';

/** A state instead of content: what is the case, and what can be done. */
export function Message(props: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  role?: 'alert' | 'status';
  /** `h1` where the page has nothing else, `h3` in a part that has a title. */
  level?: 'h1' | 'h2' | 'h3';
}) {
  const { icon, title, children, actions, role, level: Title = 'h2' } = props;
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
