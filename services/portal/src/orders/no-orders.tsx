import { Button } from '@mantine/core';
import { IconFilterOff, IconInbox } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Message } from '../components/loading-and-errors/message.js';
import { dictionary } from '../language/dictionary.js';
import { useTexts } from '../language/language.js';
import { ALL_ORDERS, type OrdersSearch, changed, isFiltered } from './filters/search.js';

const TEXTS = dictionary(
  {
    empty: { title: 'No orders yet', text: 'Orders appear here as soon as the inventory system sends them.' },
    none: { title: 'No matching orders', text: 'No order matches these filters.', all: 'Show all orders' },
    past: { title: 'This page is empty', text: 'There are fewer pages now.', first: 'Go to the first page' },
  },
  {
    empty: { title: '暂无订单', text: '库存系统发送的订单会立即显示在这里。' },
    none: { title: '没有符合条件的订单', text: '没有订单符合当前筛选条件。', all: '显示全部订单' },
    past: { title: '此页没有内容', text: '页数已减少。', first: '返回第一页' },
  },
);

/** Instead of a list that is empty. `isPast`: because there are fewer pages. */
export default function NoOrders({ search, isPast }: { search: OrdersSearch; isPast: boolean }) {
  const texts = useTexts(TEXTS);
  const navigate = useNavigate();
  if (isPast) {
    const first = () => void navigate({ to: '/orders', search: changed(search, {}) });
    return (
      <Message
        icon={<IconInbox size={20} aria-hidden />}
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
      <Message icon={<IconInbox size={20} aria-hidden />} title={texts.empty.title}>
        {texts.empty.text}
      </Message>
    );
  }
  return (
    <Message
      icon={<IconFilterOff size={20} aria-hidden />}
      title={texts.none.title}
      actions={
        <Button variant="default" onClick={() => void navigate({ to: '/orders', search: ALL_ORDERS })}>
          {texts.none.all}
        </Button>
      }
    >
      {texts.none.text}
    </Message>
  );
}
