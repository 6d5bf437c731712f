import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useFormats, useTexts } from '../../language/language.js';
import { TERMS } from '../../language/terms.js';
import { HEADER_FIELDS, type HeaderField, type Value } from './header-fields.js';
import { FIELDS } from './texts.js';
import classes from './fields.module.css';

/** What was typed where nothing can be saved any more, to be taken from there. */
export function LockedInput({ field, value }: { field: HeaderField; value: Value }) {
  const texts = useTexts(FIELDS);
  const terms = useTexts(TERMS);
  const { date } = useFormats();
  const shown = value === null ? texts.none : field === 'vendor_reply_xfd' ? date(value) : value;
  return (
    <div className={classes.kept}>
      <span className={classes.keptName}>{terms[HEADER_FIELDS[field].term]}</span>
      <span className={classes.keptValue}>{shown}</span>
      <CopyButton value={shown}>
        {({ copied, copy }) => (
          <ActionIcon size="xs" onClick={copy} aria-label={copied ? texts.copied : texts.copy}>
            {copied ? <IconCheck size={12} /> : <IconCopy size={12} />}
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  );
}
