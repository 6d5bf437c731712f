import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { useTimeout } from '@mantine/hooks';
import { type ReactNode, lazy, useState, useSyncExternalStore } from 'react';
import { ApiContext, openApi } from '../api/api.js';
import { WRITE_OPTIONS } from '../api/writes.js';
import { LiveProvider } from '../api/live/live.js';
import { LanguageProvider } from '../language/language.js';
import type { Session } from '../session/session.js';
import { AsyncBoundary } from '../components/loading-and-errors/states.js';
import { THEME, variables } from '../theme/theme.js';
import { SessionContext } from '../session/session-context.js';
import { ErrorLanguage } from './error-language.js';
import { PreferredLanguage } from './preferred-language.js';
import { ResetOnRoleChange } from './reset-on-role-change.js';
import { SessionGate } from './session-gate.js';
import { createPortalRouter } from './router.js';
import { SignOutProvider } from './sign-out.js';

/** Also used by `first-paint.js`. */
const THEME_KEY = 'po.theme';
const FRESH_MS = 15_000;
/** When to load what the first paint does not need. */
const LATER_MS = 3000;

const Toasts = lazy(() => import('./toasts.js'));

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
const themes = localStorageColorSchemeManager({ key: THEME_KEY });
// For react-remove-scroll, which locks scrolling behind a dialog and adds a style element.
setNonce(nonce);

export function App({ session }: { session: Session }) {
  const state = useSyncExternalStore(session.subscribe, () => session.state);
  const profile = 'profile' in state ? state.profile : undefined;
  const user = profile ? { id: profile.id, locale: profile.locale } : null;
  const [isLater, setLater] = useState(false);
  const load = () => {
    setLater(true);
    // A user who opens the search starts to type immediately.
    import('./order-search.js').catch(() => undefined);
  };
  useTimeout(load, LATER_MS, { autoInvoke: true });
  return (
    <MantineProvider
      theme={THEME}
      cssVariablesResolver={variables}
      colorSchemeManager={themes}
      defaultColorScheme="auto"
      // The theme sets all variables, so the file of their defaults is not loaded.
      deduplicateCssVariables={false}
      getStyleNonce={() => nonce}
    >
      <SessionContext value={session}>
        <LanguageProvider user={user}>
          <SessionGate state={state} session={session}>
            {user && (
              <Data
                session={session}
                user={user.id}
                isOpen={state.phase === 'open'}
                tokens={('tokens' in state && state.tokens) || 1}
              >
                <Routes />
              </Data>
            )}
          </SessionGate>
          <AsyncBoundary>{isLater && <Toasts />}</AsyncBoundary>
        </LanguageProvider>
      </SessionContext>
    </MantineProvider>
  );
}

/** API client and cache of one user. */
function Data(props: { session: Session; user: string; isOpen: boolean; tokens: number; children: ReactNode }) {
  const { session, user, isOpen, tokens, children } = props;
  const [cache] = useState(
    () =>
      new QueryClient({
        // The client has its own retries.
        defaultOptions: { queries: { retry: false, staleTime: FRESH_MS }, mutations: WRITE_OPTIONS },
      }),
  );
  const [api] = useState(() =>
    openApi(
      {
        token: () => session.token(user),
        renew: () => session.renew(user),
        // An identity provider that is unreachable now may become reachable later.
        retryToken: () => session.state.phase === 'open',
      },
      () => document.documentElement.lang,
    ),
  );
  return (
    <ApiContext value={api}>
      <QueryClientProvider client={cache}>
        <LiveProvider user={user} isOpen={isOpen}>
          <PreferredLanguage />
          <ErrorLanguage />
          <ResetOnRoleChange tokens={tokens} />
          <SignOutProvider user={user}>{children}</SignOutProvider>
        </LiveProvider>
      </QueryClientProvider>
    </ApiContext>
  );
}

function Routes() {
  const [router] = useState(createPortalRouter);
  return <RouterProvider router={router} />;
}
