import { parser } from '@prometheus-io/lezer-promql';

/** Syntax errors in an expression. */
export function faultsIn(expression: string): string[] {
  const faults: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) faults.push(`at ${from}: ${expression.slice(from, to + 20)}`);
    },
  });
  return faults;
}

/** Metrics that an expression reads. */
export function metricsOf(expression: string): string[] {
  const names = new Set<string>();
  parser.parse(expression).iterate({
    enter({ name, node, from, to }) {
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') names.add(expression.slice(from, to));
    },
  });
  return [...names];
}
