import { ActionIcon, Button, TextInput } from '@mantine/core';
import { MAX_POLICY_CURRENCIES } from '@po/contracts/constants';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTexts } from '../language/language.js';
import { POLICY_FORM } from './form-texts.js';
import { type AmountRow, amountsOf, amountsText } from './policy-fields.js';
import type { ErrorPlace } from './read-form.js';
import classes from './policies.module.css';

/** The largest amount of an order, by currency. `text`: all rows, as the form stores them. */
export function AmountRows(props: {
  text: string;
  type: (text: string) => void;
  errorText: (place: ErrorPlace) => string | null;
}) {
  const { text, type, errorText } = props;
  const texts = useTexts(POLICY_FORM);
  const add = useRef<HTMLButtonElement>(null);
  const rows = amountsOf(text);
  const change = (at: number, changes: Partial<AmountRow>) =>
    type(amountsText(rows.map((row, place) => (place === at ? { ...row, ...changes } : row))));
  return (
    <fieldset className={classes.group}>
      <legend>{texts.amounts}</legend>
      <p className={classes.note}>{texts.amountsNote}</p>
      {rows.map(({ currency, amount }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row has no other stable key, and no state of its own
        <div key={at} className={classes.amount}>
          <TextInput
            label={texts.currency}
            autoComplete="off"
            maxLength={3}
            value={currency}
            error={errorText(`maxAmount.${at}.currency`)}
            onChange={({ currentTarget }) => change(at, { currency: currentTarget.value.toUpperCase() })}
          />
          <TextInput
            label={texts.amount}
            autoComplete="off"
            inputMode="decimal"
            value={amount}
            error={errorText(`maxAmount.${at}.amount`)}
            onChange={({ currentTarget }) => change(at, { amount: currentTarget.value })}
          />
          <ActionIcon
            className={classes.remove}
            aria-label={texts.removeAmount(currency || texts.unnamed)}
            onClick={() => {
              type(amountsText(rows.filter((_row, place) => place !== at)));
              // The focused button disappears with the last row.
              if (at === rows.length - 1) add.current?.focus();
            }}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        ref={add}
        size="sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={rows.length >= MAX_POLICY_CURRENCIES}
        onClick={() => type(amountsText([...rows, { currency: '', amount: '' }]))}
      >
        {texts.addAmount}
      </Button>
    </fieldset>
  );
}
