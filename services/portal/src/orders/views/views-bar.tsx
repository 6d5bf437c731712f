import { Button } from '@mantine/core';
import { IconBookmarkPlus } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { useApi } from '../../api/api.js';
import type { View } from '../../api/schemas.js';
import { AsyncBoundary, ProblemLine } from '../../components/loading-and-errors/states.js';
import { useTexts } from '../../language/language.js';
import { DEFAULT_COLUMNS } from '../columns/columns.js';
import { ORDERS } from '../texts.js';
import { type BuiltInView, builtInViews } from './built-in-views.js';
import { ViewLink } from './view-link.js';
import type { ShownList } from './use-views.js';
import { isModified, isShown } from './views.js';
import classes from '../orders.module.css';

const SavedViews = lazy(() => import('./saved/saved-views.js'));

/** Named sets of filters, sorting and columns: the built-in views, the user's own, and those that others share. */
export function ViewsBar({
  query,
  views,
  open,
  hasNoList,
  ...list
}: ShownList & {
  query: UseQueryResult<View[]>;
  views: readonly View[];
  open: View | undefined;
  /** The list failed to load and shows the error, so the error of the views is not shown as well. */
  hasNoList: boolean;
}) {
  const { views: texts } = useTexts(ORDERS);
  const { search, columns } = list;
  const me = useQuery(useApi().queries.me());
  const [isNaming, setNaming] = useState(false);
  const role = me.data?.role;
  const builtIn = builtInViews(role);
  const nameOf = (id: BuiltInView) => texts[id === 'waiting' && role !== 'VENDOR' ? 'approval' : id];
  const hasOwnColumns = columns.join() !== DEFAULT_COLUMNS.join();
  const isNew = open
    ? isModified(open, search, columns)
    : hasOwnColumns || builtIn.every(([, view]) => !isShown(view, search));
  return (
    <nav className={classes.views} aria-label={texts.title} data-unknown={me.isPending || undefined}>
      {builtIn.map(([id, view]) => (
        <ViewLink key={id} view={view} search={search} name={nameOf(id)} isOpen={!open && isShown(view, search)} />
      ))}
      {(views.length > 0 || isNaming) && (
        <AsyncBoundary>
          <SavedViews views={views} open={open} list={list} isNaming={isNaming} endNaming={() => setNaming(false)} />
        </AsyncBoundary>
      )}
      {query.isLoadingError && !hasNoList && <ProblemLine error={query.error} retry={() => void query.refetch()} />}
      {isNew && query.data && (
        <Button
          size="sm"
          variant="subtle"
          className={classes.saveView}
          leftSection={<IconBookmarkPlus size={14} aria-hidden />}
          onClick={() => setNaming(true)}
        >
          {texts.save}
        </Button>
      )}
    </nav>
  );
}
