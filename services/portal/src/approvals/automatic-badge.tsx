import { IconBolt } from '@tabler/icons-react';
import { useTexts } from '../language/language.js';
import { APPROVALS } from './texts.js';
import classes from './approvals.module.css';

export function AutomaticBadge() {
  const texts = useTexts(APPROVALS);
  return (
    <span className={classes.badge}>
      <IconBolt size={12} aria-hidden />
      {texts.automatic}
    </span>
  );
}
