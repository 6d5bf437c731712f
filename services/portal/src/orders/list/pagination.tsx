import { ActionIcon, Menu } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../language/language.js';
import { type OrdersSearch, PAGE_SIZES, changed, pageSizeOf } from '../filters/search.js';
import { ListMenu } from '../list-menu.js';
import { ORDERS } from '../texts.js';
import classes from '../orders.module.css';

/** Buttons for the previous and next page, if there are several, and the page size. */
export function Pagination({ page, pages, search }: { page: number; pages: number; search: OrdersSearch }) {
  const texts = useTexts(ORDERS);
  const formats = useFormats();
  const navigate = useNavigate();
  const go = (to: number) => void navigate({ to: '/orders', search: changed(search, { page: to }) });
  const size = pageSizeOf(search);
  return (
    <nav className={classes.pages} aria-label={texts.pages}>
      <ListMenu quiet position="top-end" label={texts.perPage(formats.quantity(size))}>
        {PAGE_SIZES.map((one) => (
          <Menu.Item
            key={one}
            data-autofocus={one === size || undefined}
            onClick={() => void navigate({ to: '/orders', search: changed(search, { limit: one }) })}
          >
            {texts.perPage(formats.quantity(one))}
          </Menu.Item>
        ))}
      </ListMenu>
      {pages > 1 && (
        <>
          {texts.page(formats.quantity(page), formats.quantity(pages))}
          <ActionIcon variant="default" aria-label={texts.previous} disabled={page <= 1} onClick={() => go(page - 1)}>
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="default" aria-label={texts.next} disabled={page >= pages} onClick={() => go(page + 1)}>
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </>
      )}
    </nav>
  );
}
