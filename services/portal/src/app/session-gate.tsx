import { Button } from '@mantine/core';
import { IconDoorExit, IconPlugConnectedX, IconUsers } from '@tabler/icons-react';
import { ErrorResponse } from 'oidc-client-ts';
import { type ReactNode, lazy } from 'react';
import { useTexts } from '../language/language.js';
import type { Session } from '../session/session.js';
import type { SessionState } from '../session/session-state.js';
import { AsyncBoundary, Message } from '../components/loading-and-errors/states.js';
import { STATES } from '../components/loading-and-errors/texts.js';
import { SignedOutFrame, ShellSkeleton } from './shell-skeleton.js';
import { APP } from './texts.js';

const Expired = lazy(() => import('./expired.js'));

/** Shows the pages to a signed-in user, and otherwise the state of the session. */
export function SessionGate(props: { state: SessionState; session: Session; children: ReactNode }) {
  const { state, session, children } = props;
  switch (state.phase) {
    case 'opening':
      return <ShellSkeleton />;
    case 'open':
      return children;
    case 'failed':
      return <Failed error={state.error} retry={() => void session.open()} />;
    case 'ended':
      // Typed text stays visible, but not if another user signed in.
      return state.why === 'expired' ? (
        <>
          {children}
          <AsyncBoundary>
            <Expired session={session} />
          </AsyncBoundary>
        </>
      ) : (
        <Ended state={state} session={session} />
      );
  }
}

function Ended({ state, session }: { state: SessionState & { phase: 'ended' }; session: Session }) {
  const { gate } = useTexts(APP);
  const other = state.why === 'other-user';
  const texts = other ? gate.otherUser : gate.signedOut;
  return (
    <SignedOutFrame>
      <Message
        level="h1"
        icon={other ? <IconUsers size={20} aria-hidden /> : <IconDoorExit size={20} aria-hidden />}
        title={texts.title}
        actions={
          other ? (
            <Button onClick={() => location.assign('/')}>{gate.proceed}</Button>
          ) : (
            <Button onClick={() => void session.signIn()}>{gate.signIn}</Button>
          )
        }
      >
        {state.isOpenAtProvider ? gate.openAtProvider : texts.text}
      </Message>
    </SignedOutFrame>
  );
}

function Failed({ error, retry }: { error: Error; retry: () => void }) {
  const { gate } = useTexts(APP);
  const states = useTexts(STATES);
  const refused = error instanceof ErrorResponse;
  const text = error.name === 'SecurityError' ? gate.noStorage : gate.failed.text;
  return (
    <SignedOutFrame>
      <Message
        level="h1"
        role="alert"
        icon={<IconPlugConnectedX size={20} aria-hidden />}
        title={refused ? gate.refused.title : gate.failed.title}
        actions={
          <Button variant="default" onClick={retry}>
            {states.retry}
          </Button>
        }
      >
        {refused ? `${gate.refused.text} ${error.message}` : text}
      </Message>
    </SignedOutFrame>
  );
}
