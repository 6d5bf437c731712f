import { Button } from '@mantine/core';
import { IconFilterOff, IconInbox } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Message } from '../../components/message.js';
import { useTexts } from '../../language/language.js';
import { type OrdersSearch, isFiltered } from '../filters/search.js';
import { NO_ORDERS } from './no-orders-texts.js';

/** In the place of a list that is empty: why, and what to do. */
export default function NoOrders({ search, isPast }: { search: OrdersSearch; isPast: boolean }) {
  const texts = useTexts(NO_ORDERS);
  const navigate = useNavigate();
  if (isPast) {
    const first = () => void navigate({ to: '/orders', search: { ...search, page: undefined } });
    return (
      <Message
        icon={<IconInbox size={20} />}
        title={texts.past.title}
        actions={
          <Button variant="default" onClick={first}>
            {texts.past.first}
          </Button>
        }
      >
        {texts.past.text}
      </Message>
    );
  }
  if (!isFiltered(search)) {
    return (
      <Message icon={<IconInbox size={20} />} title={texts.empty.title}>
        {texts.empty.text}
      </Message>
    );
  }
  return (
    <Message
      icon={<IconFilterOff size={20} />}
      title={texts.none.title}
      actions={
        <Button variant="default" onClick={() => void navigate({ to: '/orders' })}>
          {texts.none.all}
        </Button>
      }
    >
      {texts.none.text}
    </Message>
  );
}
