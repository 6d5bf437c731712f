import { type ReactNode, createContext, lazy, use, useState } from 'react';
import { TEXTS } from '../storage/use-stored.js';
import { useSession } from '../session/session-context.js';
import { AsyncBoundary } from '../components/loading-and-errors/states.js';

const SignOutDialog = lazy(() => import('./sign-out-dialog.js'));
const SignOutContext = createContext<() => void>(() => undefined);

/** Signs the user out; if this browser has drafts, first asks whether to keep them. */
export const useSignOut = (): (() => void) => use(SignOutContext);

export function SignOutProvider({ user, children }: { user: string; children: ReactNode }) {
  const session = useSession();
  /** Number of orders with drafts while the dialog is open, otherwise 0. */
  const [orders, setOrders] = useState(0);
  const signOut = () => {
    const { size } = TEXTS.ordersWithDrafts(user);
    if (size === 0) void session.signOut();
    else setOrders(size);
  };
  const leave = (isDiscarding: boolean) => {
    if (isDiscarding) TEXTS.discardDrafts(user);
    void session.signOut();
  };
  return (
    <SignOutContext value={signOut}>
      {children}
      {orders > 0 && (
        <AsyncBoundary>
          <SignOutDialog orders={orders} leave={leave} close={() => setOrders(0)} />
        </AsyncBoundary>
      )}
    </SignOutContext>
  );
}
