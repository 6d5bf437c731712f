import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Problem, ProblemLine } from './problem.js';

/** What a query gives, once it is there; before, the skeleton in its shape, and where it failed the problem. */
export function Loaded<T>({
  query,
  skeleton,
  children,
}: {
  query: UseQueryResult<T>;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { data, error, errorUpdatedAt, refetch } = query;
  const retry = () => void refetch();
  if (data === undefined) return error ? <Problem key={errorUpdatedAt} error={error} retry={retry} /> : skeleton;
  return (
    <>
      {error && <ProblemLine error={error} retry={retry} />}
      {children(data)}
    </>
  );
}
