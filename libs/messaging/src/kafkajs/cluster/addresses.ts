// KafkaJS takes what stands before a broker's first colon for its host. An IPv6 address therefore passes it with other signs, in brackets
// that no name has; brokers themselves, in what they tell of their cluster, name theirs bare.

/** A broker address for KafkaJS. */
export const toKafkaJs = (broker: string): string =>
  broker.replace(/^\[.+\]/, (address) => address.replaceAll(':', '-'));

/** The address to connect to, for a host of KafkaJS. */
export const hostOf = (host: string): string => (host.startsWith('[') ? host.slice(1, -1).replaceAll('-', ':') : host);
