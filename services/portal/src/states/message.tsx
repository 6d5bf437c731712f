import type { ReactNode } from 'react';
import classes from './states.module.css';

/** A state instead of content: what is the case, and what can be done. */
export function Message({
  icon,
  title,
  children,
  actions,
  role,
}: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  role?: 'alert' | 'status';
}) {
  return (
    <div className={classes.message} role={role}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <h2 className={classes.title}>{title}</h2>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
