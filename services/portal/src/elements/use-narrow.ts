import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is a phone's, where tables become cards; right from the first paint. */
export const useNarrow = (): boolean => useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
