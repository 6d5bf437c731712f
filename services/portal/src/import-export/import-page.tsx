import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useApi } from '../api/api.js';
import { PageHeader } from '../components/page.js';
import { useTexts } from '../language/language.js';
import { Message, QueryBoundary } from '../components/loading-and-errors/states.js';
import { IMPORT } from './import-texts.js';
import { DropSkeleton } from './review/drop-zone.js';
import { Importing } from './review/importing.js';

const route = getRouteApi('/import');

export function ImportPage() {
  const texts = useTexts(IMPORT);
  const { queries } = useApi();
  const navigate = useNavigate();
  const { order } = route.useSearch();
  const me = useQuery(queries.me());
  return (
    <>
      <PageHeader title={texts.title} />
      <QueryBoundary query={me} skeleton={<DropSkeleton />}>
        {({ role }) =>
          role === 'VENDOR' ? (
            <Importing key={order ?? ''} wanted={order ?? null} />
          ) : (
            <Message
              icon={<IconLock size={20} aria-hidden />}
              title={texts.notYours.title}
              actions={
                <Button variant="default" onClick={() => void navigate({ to: '/orders' })}>
                  {texts.notYours.orders}
                </Button>
              }
            >
              {texts.notYours.text}
            </Message>
          )
        }
      </QueryBoundary>
    </>
  );
}
