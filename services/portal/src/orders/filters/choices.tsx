import { Menu } from '@mantine/core';
import { useState } from 'react';
import { dictionary } from '../../language/dictionary.js';
import { useTexts } from '../../language/language.js';
import { ME } from './search.js';
import { ORDERS } from '../texts.js';
import styles from '../../theme/text.module.css';

const CHOICES = dictionary({
  find: {
    vendor: ['Find a vendor', '查找供应商'],
    buyer: ['Find a buyer', '查找采购员'],
  },
  none: {
    vendor: ['No such vendor', '没有该供应商'],
    buyer: ['No such buyer', '没有该采购员'],
  },
});

/** Shorter lists need no search field. */
const MANY = 8;

interface Choice {
  value: string;
  name: string;
}

/** Menu items to choose one vendor or buyer. */
export default function Choices(props: {
  of: 'vendor' | 'buyer';
  choices: readonly Choice[];
  chosen: string | undefined;
  choose: (value: string | undefined) => void;
}) {
  const { of, choices, chosen, choose } = props;
  const texts = useTexts(CHOICES);
  const { me } = useTexts(ORDERS).filters;
  const [text, setText] = useState('');
  const typed = text.trim().toLowerCase();
  const all = of === 'buyer' ? [{ value: ME, name: me }, ...choices] : choices;
  const fitting = all.filter(({ value, name }) => `${name}\n${value}`.toLowerCase().includes(typed));
  return (
    <>
      {choices.length > MANY && (
        <Menu.Search
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          placeholder={texts.find[of]}
          aria-label={texts.find[of]}
        />
      )}
      {fitting.length === 0 && <Menu.Label>{texts.none[of]}</Menu.Label>}
      {fitting.map(({ value, name }) => (
        <Menu.CheckboxItem
          key={value}
          checked={value.toLowerCase() === chosen?.toLowerCase()}
          onChange={(is) => choose(is ? value : undefined)}
        >
          {name}
          {value !== name && value !== ME && <span className={styles.quietLine}>{value}</span>}
        </Menu.CheckboxItem>
      ))}
    </>
  );
}
