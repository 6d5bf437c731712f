import { IconFileSpreadsheet } from '@tabler/icons-react';
import { PageHead } from '../elements/page.js';
import { useTexts } from '../language/language.js';
import { Message } from '../states/message.js';
import { EXCHANGE } from './texts.js';

/** Replies that were written in a spreadsheet. */
export function ImportPage() {
  const texts = useTexts(EXCHANGE);
  return (
    <>
      <PageHead title={texts.title} />
      <Message icon={<IconFileSpreadsheet size={20} />} title={texts.none.title}>
        {texts.none.text}
      </Message>
    </>
  );
}
