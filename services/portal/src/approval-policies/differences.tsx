import { IconArrowRight } from '@tabler/icons-react';
import { useTexts } from '../language/language.js';
import { LIMITS } from './limit-texts.js';
import type { Difference } from './policy-steps.js';
import { POLICIES } from './texts.js';
import { useLimits } from './use-limits.js';
import styles from '../theme/text.module.css';
import shared from '../theme/differences.module.css';

export function Differences({ differences }: { differences: readonly Difference[] }) {
  const texts = useTexts(POLICIES);
  const { fields } = useTexts(LIMITS);
  const { valueText } = useLimits();
  return (
    <ul className={shared.differences}>
      {differences.map(({ field, from, to }) => (
        <li key={field}>
          <span className={styles.quiet}>{fields[field]}</span>
          <span className={shared.values}>
            {from !== undefined && (
              <>
                <del>{valueText(field, from)}</del>
                <IconArrowRight size={12} role="img" aria-label={texts.became} />
              </>
            )}
            <ins>{valueText(field, to)}</ins>
          </span>
        </li>
      ))}
    </ul>
  );
}
