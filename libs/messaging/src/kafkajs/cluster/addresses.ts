// KafkaJS takes what stands before a broker's first colon for its host. An IPv6 address therefore passes it with other signs, in brackets
// that no name has; brokers themselves, in what they tell of their cluster, name theirs bare.

/** A broker as KafkaJS is told of it. */
export const toKafkaJs = (broker: string): string =>
  broker.replace(/^\[.+\]/, (address) => address.replaceAll(':', '-'));

/** What to connect to, of a host that KafkaJS asks for. */
export const hostOf = (host: string): string => (host.startsWith('[') ? host.slice(1, -1).replaceAll('-', ':') : host);
