import { useLocalStorage } from '@mantine/hooks';
import { useSession } from '../session/session-context.js';

/** Something that this browser keeps for the user, the same in all tabs. `read`: of what is stored, whoever wrote it. */
export function useKept<T>(name: string, read: (stored: string | null | undefined) => T): [T, (value: T) => void] {
  const { state } = useSession();
  const user = 'profile' in state ? (state.profile?.id ?? '') : '';
  const [value, setValue] = useLocalStorage<T>({
    key: `po.${name}:${user}`,
    defaultValue: read(null),
    getInitialValueInEffect: false,
    deserialize: (stored) => read(stored),
  });
  return [value, setValue];
}
