import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OrdersSearch } from '../filters/search.js';
import { addressOf } from './views.js';
import classes from '../orders.module.css';

/** `mark`: icon before the name. */
export function ViewLink(props: {
  view: OrdersSearch;
  search: OrdersSearch;
  name: string;
  isOpen: boolean;
  title?: string;
  mark?: ReactNode;
}) {
  const { view, search, name, isOpen, title = name, mark } = props;
  return (
    <Link
      to="/orders"
      search={addressOf(view, search)}
      className={classes.view}
      title={title}
      data-shown={isOpen || undefined}
      activeOptions={{ exact: true }}
      aria-current={isOpen ? 'page' : undefined}
    >
      {mark}
      {name}
    </Link>
  );
}
