import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Offline } from './offline.js';
import { Problem, ProblemLine } from './problem.js';

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
