import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows more of the list above it. Keeps the focus while that is loading, and leaves it in the list, or keys would act on the page. */
export function MoreButton(props: {
  isLoading?: boolean;
  variant?: 'default' | 'subtle';
  showMore: () => void;
  children: ReactNode;
}) {
  const { isLoading = false, variant = 'default', showMore, children } = props;
  return (
    <Button
      ref={leaveFocus}
      fullWidth
      size="sm"
      variant={variant}
      // A disabled button would lose the focus.
      aria-busy={isLoading}
      leftSection={isLoading && <Loader size={14} />}
      onClick={() => !isLoading && showMore()}
    >
      {children}
    </Button>
  );
}

/** When the focused button disappears, its focus moves to the element before it. Not to an input, whose value keys would change. */
const leaveFocus = (button: HTMLButtonElement) => () => {
  if (document.activeElement !== button) return;
  const places = [...document.querySelectorAll<HTMLElement>('a, button:not([disabled]), [tabindex]')];
  places[places.indexOf(button) - 1]?.focus({ preventScroll: true });
};
