import type { ReactNode } from 'react';
import { useTexts } from '../../language/language.js';
import { STATES } from './texts.js';

/** Frame of a skeleton: tells screen readers that content is loading. */
export function Loading({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const { loading } = useTexts(STATES);
  return (
    <div className={className} role="status" aria-label={loading} aria-busy>
      {children}
    </div>
  );
}
