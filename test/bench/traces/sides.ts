/** What is measured beside each other. */
export interface Side {
  name: 'before' | 'off' | '1 %' | '100 %';
  environment: Record<string, string>;
  /** The root of the built checkout that it is of; this one's if absent. */
  build?: string;
}

const OFF = { OTEL_EXPORTER_OTLP_ENDPOINT: '' };

/** All of them, each in another place in the next round: what time changes must not be one side's alone. */
export function sidesOf(before: string | null, collector: string, round: number): Side[] {
  const sampled = (ratio: string) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: ratio,
  });
  const sides: Side[] = [
    ...(before === null ? [] : [{ name: 'before' as const, environment: OFF, build: before }]),
    { name: 'off', environment: OFF },
    { name: '1 %', environment: sampled('0.01') },
    { name: '100 %', environment: sampled('1') },
  ];
  const first = round % sides.length;
  return [...sides.slice(first), ...sides.slice(0, first)];
}
