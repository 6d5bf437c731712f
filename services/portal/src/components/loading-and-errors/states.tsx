import { ActionIcon, Button, CopyButton, Tooltip, VisuallyHidden } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { ApiProblem } from '@po/client';
import {
  IconAlertTriangle,
  IconCheck,
  IconCopy,
  IconHourglass,
  IconLock,
  IconMapQuestion,
  IconPlugConnectedX,
  IconRefresh,
  IconWifiOff,
} from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTabTitle } from '../use-tab-title.js';
import { useTexts } from '../../language/language.js';
import { STATES } from './texts.js';
import { type ProblemKind, problemKindOf, reasonOf, waitOf } from './problem-kind.js';
import classes from './states.module.css';

/** Renders the data of a query; until then the skeleton, or the failure. */
export function QueryBoundary<T>(props: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'errorUpdatedAt' | 'fetchStatus'> & { refetch: () => unknown };
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { query, skeleton, children } = props;
  const { data, error, errorUpdatedAt, fetchStatus, refetch } = query;
  const retry = () => void refetch();
  if (data === undefined) {
    if (error) return <Problem key={errorUpdatedAt} error={error} retry={retry} />;
    return fetchStatus === 'paused' ? <Offline /> : skeleton;
  }
  return (
    <>
      {error && <ProblemLine key={errorUpdatedAt} error={error} retry={retry} />}
      {children(data)}
    </>
  );
}

interface AsyncBoundaryProps {
  children: ReactNode;
  /** Placeholder in the shape of the content. Omitted for parts above the page, such as dialogs and toasts. */
  skeleton?: ReactNode;
}

/**
 * Boundary around lazily loaded code. If loading fails, for example during a restart of the service, the error appears in place of the
 * content or at the lower edge of the page, and the rest of the page stays. Without the boundary the whole page would fail.
 */
export class AsyncBoundary extends Component<AsyncBoundaryProps, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { children, skeleton } = this.props;
    const { error } = this.state;
    if (error === null) return <Suspense fallback={skeleton}>{children}</Suspense>;
    if (skeleton !== undefined) return <Problem error={error} />;
    return (
      <div className={classes.above}>
        {/* Typed text survives the reload. */}
        <ProblemLine error={error} retry={() => location.reload()} />
      </div>
    );
  }
}

/** A message in place of content: the state, and the possible actions. */
export function Message(props: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  role?: 'alert' | 'status';
  /** `h1` if the page has no other content: also the title of the browser tab. `h3` in a section with its own title. */
  level?: 'h1' | 'h2' | 'h3';
}) {
  const { icon, title, children, actions, role, level: Title = 'h2' } = props;
  useTabTitle(Title === 'h1' ? title : null);
  return (
    <div className={classes.message} role={role}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <Title className={classes.title}>{title}</Title>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}

/** Shown in place of data that needs a connection. The data loads as soon as the connection is back. */
function Offline() {
  const { away } = useTexts(STATES);
  return (
    <Message role="status" icon={<IconWifiOff size={20} aria-hidden />} title={away.title}>
      {away.text}
    </Message>
  );
}

export function OfflineBanner() {
  const texts = useTexts(STATES);
  if (useNetwork().online) return null;
  return (
    <div className={classes.banner} role="status">
      <IconWifiOff size={16} aria-hidden />
      {texts.offline}
    </div>
  );
}

const ICONS: Record<ProblemKind, ReactNode> = {
  forbidden: <IconLock size={20} aria-hidden />,
  unknown: <IconMapQuestion size={20} aria-hidden />,
  busy: <IconHourglass size={20} aria-hidden />,
  unreachable: <IconPlugConnectedX size={20} aria-hidden />,
  outdated: <IconRefresh size={20} aria-hidden />,
  problem: <IconAlertTriangle size={20} aria-hidden />,
};

/** A failure in place of content. `retry` is omitted if a retry cannot help; `children` are further actions. */
export function Problem(props: { error: unknown; retry?: () => void; children?: ReactNode; level?: 'h1' }) {
  const { error, retry, children, level } = props;
  const texts = useTexts(STATES);
  const ofError = problemKindOf(error);
  const isPart = ofError === 'outdated';
  // Offline, a file that fails to load does not mean that there is a new version.
  const kind = isPart && !navigator.onLine ? 'unreachable' : ofError;
  const waitS = useWait(error);
  const again = isPart ? () => location.reload() : retry;
  const isFinal = kind === 'forbidden' || kind === 'unknown';
  return (
    <Message
      role="alert"
      level={level}
      icon={ICONS[kind]}
      title={texts[kind].title}
      actions={
        <>
          {again && !isFinal && (
            <Button variant="default" onClick={again} disabled={waitS > 0}>
              {kind === 'outdated' ? texts.reload : texts.retry}
            </Button>
          )}
          {children}
        </>
      }
    >
      <Reason {...{ error, kind, waitS }} />
      <Reference id={error instanceof ApiProblem ? error.requestId : null} />
    </Message>
  );
}

/** A failure beside content that stays visible. */
export function ProblemLine({ error, retry }: { error: unknown; retry?: () => void }) {
  const texts = useTexts(STATES);
  const kind = problemKindOf(error);
  const waitS = useWait(error);
  return (
    <div role="alert" className={classes.inline}>
      <IconAlertTriangle size={16} aria-hidden />
      <Reason {...{ error, kind, waitS }} />
      {retry && (
        <Button size="xs" variant="subtle" color="red" onClick={retry} disabled={waitS > 0}>
          {kind === 'outdated' ? texts.reload : texts.retry}
        </Button>
      )}
    </div>
  );
}

/** Screen readers read an alert again when it changes: they get the wait and its end, not each second. */
function Reason({ error, kind, waitS }: { error: unknown; kind: ProblemKind; waitS: number }) {
  const texts = useTexts(STATES);
  const shown = reasonOf(error, texts, kind, waitS);
  if (kind !== 'busy') return <span>{shown}</span>;
  return (
    <>
      <span aria-hidden>{shown}</span>
      <VisuallyHidden>{reasonOf(error, texts, kind, waitS > 0 ? waitOf(error) : 0)}</VisuallyHidden>
    </>
  );
}

/** Id of a failed request, for support; nothing if it is null. `copies`: with a button, not for the rows of a list. */
export function Reference({ id, copies = true }: { id: string | null; copies?: boolean }) {
  const texts = useTexts(STATES);
  if (id === null) return null;
  return (
    <span className={classes.reference}>
      <span>{texts.reference}</span>
      <code>{id}</code>
      {copies && (
        <CopyButton value={id}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? texts.copied : texts.copy}>
              <ActionIcon size="xs" onClick={copy} aria-label={texts.copy}>
                {copied ? <IconCheck size={12} aria-hidden /> : <IconCopy size={12} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      )}
    </span>
  );
}

/** Remaining seconds until the API accepts such a request again. */
function useWait(error: unknown): number {
  const [waited, setWaited] = useState({ error, seconds: 0 });
  const pastS = waited.error === error ? waited.seconds : 0;
  const leftS = Math.max(0, waitOf(error) - pastS);
  const isOver = leftS === 0;
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(
      () => setWaited((was) => ({ error, seconds: (was.error === error ? was.seconds : 0) + 1 })),
      1000,
    );
    return () => clearInterval(timer);
  }, [error, isOver]);
  return leftS;
}
