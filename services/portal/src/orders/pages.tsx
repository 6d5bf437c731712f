import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useFormats, useTexts } from '../language/language.js';
import { ORDERS } from './texts.js';
import classes from './orders.module.css';

/** To the pages before and after; nothing where there is one. */
export function Pages({ page, pages }: { page: number; pages: number }) {
  const texts = useTexts(ORDERS);
  const formats = useFormats();
  const navigate = useNavigate();
  const go = (to: number) => void navigate({ to: '/orders', search: (search) => ({ ...search, page: to }) });
  if (pages <= 1) return null;
  return (
    <nav className={classes.pages} aria-label={texts.pages}>
      {texts.page(formats.quantity(page), formats.quantity(pages))}
      <ActionIcon variant="default" aria-label={texts.previous} disabled={page <= 1} onClick={() => go(page - 1)}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={texts.next} disabled={page >= pages} onClick={() => go(page + 1)}>
        <IconChevronRight size={16} />
      </ActionIcon>
    </nav>
  );
}
