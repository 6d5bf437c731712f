import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTexts } from '../language/language.js';
import { type News, isNews } from './news.js';
import { ORDERS } from './texts.js';
import classes from './list.module.css';

/** Says that the list would be another one if it was asked for now. It lies above the rows, which stay where they are. */
export function NewsBar({ news, refresh }: { news: News; refresh: () => Promise<void> }) {
  const texts = useTexts(ORDERS);
  return (
    <div role="status" className={classes.news}>
      {isNews(news) && (
        <Button size="sm" leftSection={<IconRefresh size={14} />} onClick={() => void refresh()}>
          {news.orders > 0 ? texts.news(news.orders) : texts.moved} – {texts.refresh}
        </Button>
      )}
    </div>
  );
}
