import type { Growth } from './growth.js';

/**
 * Whether something grows or ended, or requests failed. Kafka may grow: Java takes more heap, rather than collect what it has, until it
 * has what it was started with leave to take.
 */
export function hasFailed({
  growth,
  load,
}: {
  growth: Readonly<Record<string, Pick<Growth, 'verdict'>>>;
  load: { failed: number };
}): boolean {
  const bad = Object.entries(growth).filter(
    ([name, { verdict }]) => verdict === 'ended' || (verdict === 'grows' && name !== 'kafka'),
  );
  return bad.length > 0 || load.failed > 0;
}
