import { createContext, use } from 'react';
import type { Session } from './session.js';

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('no SessionContext above');
  return session;
}
