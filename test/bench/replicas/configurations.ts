/** How many replicas run of each of the two services that a request for an order passes. */
export interface Configuration {
  gateways: number;
  orders: number;
}

/**
 * The configurations that are measured, in order: as many gateways as order services, of each number; where there are two numbers or
 * more, the first two also crosswise, which tells the one from the other; and the first once more, which tells what time changed.
 */
export function configurationsOf([first = 1, second, ...others]: readonly number[]): Configuration[] {
  const both = (count: number): Configuration => ({ gateways: count, orders: count });
  if (second === undefined) return [both(first)];
  const crosswise = [
    { gateways: first, orders: second },
    { gateways: second, orders: first },
  ];
  return [both(first), ...crosswise, both(second), ...others.map(both), both(first)];
}
