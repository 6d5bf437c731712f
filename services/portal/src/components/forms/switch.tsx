import { SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import type { ReactNode } from 'react';
import styles from '../../theme/text.module.css';
import classes from './switch.module.css';

/** A choice of a few visible options. `isBeside`: beside its name, if there is enough width. */
export function Switch(props: {
  name: string;
  note?: string;
  value: string;
  choices: { value: string; label: ReactNode }[];
  choose: (value: string) => void;
  isBeside?: boolean;
}) {
  const { name, note, value, choices, choose, isBeside } = props;
  return (
    <div className={isBeside ? classes.beside : classes.below}>
      <div>
        <div className={classes.name}>{name}</div>
        {note !== undefined && <div className={styles.note}>{note}</div>}
      </div>
      <SegmentedControl size="sm" aria-label={name} value={value} onChange={choose} data={choices} />
    </div>
  );
}
