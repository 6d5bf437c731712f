import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconBookmarkPlus, IconDots } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { useFormats, useTexts } from '../../language/language.js';
import { AsyncBoundary } from '../../components/async-boundary.js';
import { useStored } from '../../storage/use-stored.js';
import type { OrdersSearch } from '../filters/search.js';
import { ListMenu } from '../list-menu.js';
import { ORDERS } from '../texts.js';
import { type View, divided, givenViews, isShown, readViews, removed, renamed, restored, saved } from './views.js';
import classes from '../orders.module.css';

const ViewDialog = lazy(() => import('./view-dialog.js'));

/** Filters and orders under names: those that everybody has, and one's own. `isKnown`: whether it is known who one is. */
export function ViewsBar({
  search,
  role,
  isKnown,
}: {
  search: OrdersSearch;
  role: string | undefined;
  isKnown: boolean;
}) {
  const { views: texts } = useTexts(ORDERS);
  const [views, changeViews] = useStored('orders.views', readViews);
  /** What is named: the list as it is, or the view of this name. */
  const [naming, setNaming] = useState<{ view: string | null } | null>(null);
  const given = givenViews(role);
  const { beside, further } = divided(views, search);
  const remove = async (view: View, byKeyboard: boolean) => {
    const at = views.findIndex(({ name }) => name === view.name);
    changeViews((now) => removed(now, view.name));
    const { offerUndo } = await import('./view-deleted.js');
    const restore = () => changeViews((now) => restored(now, view, at));
    offerUndo({ name: view.name, byKeyboard, close: texts.close, restore });
  };
  const isNew = [...given.map(([, view]) => view), ...views.map((view) => view.search)].every(
    (view) => !isShown(view, search),
  );
  return (
    <nav className={classes.views} aria-label={texts.title} data-unknown={!isKnown || undefined}>
      {given.map(([id, view]) => (
        <ViewLink key={id} view={view} search={search} name={texts[id]} />
      ))}
      {beside.map((view) => (
        <span key={view.name} className={classes.ownView}>
          <ViewLink view={view.search} search={search} name={view.name} />
          <Menu>
            <Menu.Target>
              <ActionIcon size="xs" aria-label={texts.more(view.name)}>
                <IconDots size={14} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item data-autofocus onClick={() => setNaming({ view: view.name })}>
                {texts.rename}
              </Menu.Item>
              <Menu.Item
                color="red"
                // A click that no pointer made has none to count.
                onClick={({ detail }) => void remove(view, detail === 0).catch(() => undefined)}
              >
                {texts.remove}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      ))}
      {further.length > 0 && <Further views={further} search={search} />}
      {isNew && (
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
        <AsyncBoundary>
          <ViewDialog
            present={naming.view}
            taken={views.map(({ name }) => name)}
            close={() => setNaming(null)}
            keep={(name) => {
              changeViews((now) => (naming.view === null ? saved(now, name, search) : renamed(now, naming.view, name)));
              setNaming(null);
            }}
          />
        </AsyncBoundary>
      )}
    </nav>
  );
}

/** With as many orders a page as there are now. */
const addressOf = (view: OrdersSearch, { limit }: OrdersSearch): OrdersSearch => ({ ...view, ...(limit && { limit }) });

function ViewLink({ view, search, name }: { view: OrdersSearch; search: OrdersSearch; name: string }) {
  const is = isShown(view, search);
  return (
    <Link
      to="/orders"
      search={addressOf(view, search)}
      className={classes.view}
      title={name}
      data-shown={is || undefined}
      activeOptions={{ exact: true }}
      aria-current={is ? 'page' : undefined}
    >
      {name}
    </Link>
  );
}

/** Those that have no room. */
function Further({ views, search }: { views: readonly View[]; search: OrdersSearch }) {
  const { views: texts } = useTexts(ORDERS);
  const formats = useFormats();
  const navigate = useNavigate();
  return (
    <ListMenu quiet label={texts.further(formats.quantity(views.length))}>
      {views.map(({ name, search: view }, at) => (
        <Menu.Item
          key={name}
          data-autofocus={at === 0 || undefined}
          onClick={() => void navigate({ to: '/orders', search: addressOf(view, search) })}
        >
          {name}
        </Menu.Item>
      ))}
    </ListMenu>
  );
}
