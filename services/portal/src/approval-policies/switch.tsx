import { SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import classes from './policies.module.css';

/** One of two, both in sight. */
export function Switch(props: {
  name: string;
  note?: string;
  value: string;
  choices: { value: string; label: string }[];
  choose: (value: string) => void;
}) {
  const { name, note, value, choices, choose } = props;
  return (
    <div className={classes.switch}>
      <span className={classes.name}>{name}</span>
      {note !== undefined && <span className={classes.note}>{note}</span>}
      <SegmentedControl size="sm" aria-label={name} value={value} onChange={choose} data={choices} />
    </div>
  );
}
