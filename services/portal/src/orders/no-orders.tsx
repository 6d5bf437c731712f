import { Button } from '@mantine/core';
import { IconFilterOff, IconInbox } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Message } from '../components/loading-and-errors/states.js';
import { dictionary } from '../language/dictionary.js';
import { useTexts } from '../language/language.js';
import { ALL_ORDERS, type OrdersSearch, changed, isFiltered } from './filters/search.js';

const TEXTS = dictionary({
  empty: {
    title: ['No orders yet', '暂无订单'],
    text: ['Orders appear here as soon as the inventory system sends them.', '库存系统发送的订单会立即显示在这里。'],
  },
  none: {
    title: ['No matching orders', '没有符合条件的订单'],
    text: ['No order matches these filters.', '没有订单符合当前筛选条件。'],
    all: ['Show all orders', '显示全部订单'],
  },
  past: {
    title: ['This page is empty', '此页没有内容'],
    text: ['There are fewer pages now.', '页数已减少。'],
    first: ['Go to the first page', '返回第一页'],
  },
});

/** Shown in place of an empty list. `isPast`: the page number exceeds the number of pages. */
export default function NoOrders({ search, isPast }: { search: OrdersSearch; isPast: boolean }) {
  const texts = useTexts(TEXTS);
  const navigate = useNavigate();
  const past = { ...texts.past, label: texts.past.first, to: changed(search, {}) };
  const unmatched = { ...texts.none, label: texts.none.all, to: ALL_ORDERS };
  const isUnmatched = !isPast && isFiltered(search);
  const way = isPast ? past : isUnmatched && unmatched;
  const { title, text } = way || texts.empty;
  return (
    <Message
      icon={isUnmatched ? <IconFilterOff size={20} aria-hidden /> : <IconInbox size={20} aria-hidden />}
      title={title}
      actions={
        way && (
          <Button variant="default" onClick={() => void navigate({ to: '/orders', search: way.to })}>
            {way.label}
          </Button>
        )
      }
    >
      {text}
    </Message>
  );
}
