import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../../../api/api.js';
import { KEYS } from '../../../api/keys.js';
import { MAX_VIEWS, createView } from '../../../api/views.js';
import { ProblemLine } from '../../../components/problem.js';
import { useFormats, useTexts } from '../../../language/language.js';
import { TEXTS, useStorageKey, useStored } from '../../../storage/use-stored.js';
import { isFull, moveViews, readLocalViews, without } from './moving.js';
import { VIEWS } from './texts.js';
import { LOCAL_VIEWS, VIEW_ORDER } from '../use-views.js';
import { readIds } from '../views.js';
import classes from './saved.module.css';

/** Moves the views that an older release kept in this browser to the API, and says which stay. `count`: views that the user has there. */
export default function LocalViews({ count }: { count: number }) {
  const texts = useTexts(VIEWS);
  const { quantity } = useFormats();
  const { client } = useApi();
  const cache = useQueryClient();
  const place = useStorageKey(LOCAL_VIEWS);
  const [local, changeLocal] = useStored(LOCAL_VIEWS, readLocalViews);
  const [, changeOrder] = useStored(VIEW_ORDER, readIds);
  const { mutate, data: error } = useMutation({
    // One after another: what is added changes `count`.
    scope: { id: LOCAL_VIEWS },
    mutationFn: () =>
      moveViews({
        left: () => readLocalViews(TEXTS.get(place) || null),
        create: (request, key) => createView(client, request, key),
        done: (view, { id }) => {
          changeOrder((ids) => (ids.includes(id) ? [...ids] : [...ids, id]));
          changeLocal((views) => without(views, view));
        },
      }),
    onSettled: () => cache.invalidateQueries({ queryKey: KEYS.views }),
  });
  // When the list is opened, and when there may be room again.
  useEffect(() => mutate(), [count, mutate]);
  if (local.length === 0 || !error) return null;
  return (
    <div role="status" className={classes.localViews}>
      <span>
        {texts.local(local.map(({ name }) => name))} {isFull(error) && texts.noRoom(quantity(MAX_VIEWS))}
      </span>
      {!isFull(error) && <ProblemLine error={error} retry={() => mutate()} />}
      <Button size="xs" variant="subtle" color="red" onClick={() => changeLocal(() => [])}>
        {texts.discard}
      </Button>
    </div>
  );
}
