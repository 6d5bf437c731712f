import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconBookmarkPlus, IconDots } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, lazy, useState } from 'react';
import { useTexts } from '../language/language.js';
import { useKept } from '../kept/use-kept.js';
import type { OrdersSearch } from './search.js';
import { ORDERS } from './texts.js';
import { givenViews, isShown, readViews, removed, renamed, saved } from './views.js';
import classes from './orders.module.css';

const ViewDialog = lazy(() => import('./view-dialog.js'));

/** Filters and orders under names: those that everybody has, and one's own. */
export function ViewsBar({ search, role }: { search: OrdersSearch; role: string | undefined }) {
  const { views: texts } = useTexts(ORDERS);
  const [views, setViews] = useKept('orders.views', readViews);
  /** What is named: the list as it is, or the view of this name. */
  const [naming, setNaming] = useState<{ view: string | null } | null>(null);
  const given = givenViews(role);
  const isKnown = [...given.map(([, view]) => view), ...views.map((view) => view.search)].some((view) =>
    isShown(view, search),
  );
  return (
    <nav className={classes.views} aria-label={texts.title}>
      {given.map(([id, view]) => (
        <ViewLink key={id} view={view} search={search} name={texts[id]} />
      ))}
      {views.map(({ name, search: view }) => (
        <span key={name} className={classes.ownView}>
          <ViewLink view={view} search={search} name={name} />
          <Menu>
            <Menu.Target>
              <ActionIcon size="xs" aria-label={texts.more(name)}>
                <IconDots size={14} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item data-autofocus onClick={() => setNaming({ view: name })}>
                {texts.rename}
              </Menu.Item>
              <Menu.Item color="red" onClick={() => setViews(removed(views, name))}>
                {texts.remove}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      ))}
      {!isKnown && (
        <Button
          size="sm"
          variant="subtle"
          className={classes.saveView}
          leftSection={<IconBookmarkPlus size={14} />}
          onClick={() => setNaming({ view: null })}
        >
          {texts.save}
        </Button>
      )}
      {naming !== null && (
        <Suspense>
          <ViewDialog
            present={naming.view}
            taken={views.map(({ name }) => name)}
            close={() => setNaming(null)}
            keep={(name) => {
              setViews(naming.view === null ? saved(views, name, search) : renamed(views, naming.view, name));
              setNaming(null);
            }}
          />
        </Suspense>
      )}
    </nav>
  );
}

function ViewLink({ view, search, name }: { view: OrdersSearch; search: OrdersSearch; name: string }) {
  const is = isShown(view, search);
  return (
    <Link
      to="/orders"
      search={{ ...view, limit: search.limit }}
      className={classes.view}
      data-shown={is || undefined}
      activeOptions={{ exact: true }}
      aria-current={is ? 'page' : undefined}
    >
      {name}
    </Link>
  );
}
