// KafkaJS takes the text before the first colon of an address as the host. IPv6 addresses are therefore given to KafkaJS in brackets, which
// no host name has, and with hyphens for colons. Addresses in broker metadata have no brackets.

/** A broker address for KafkaJS. */
export const toKafkaJs = (broker: string): string =>
  broker.replace(/^\[.+\]/, (address) => address.replaceAll(':', '-'));

/** The address to connect to for a host given by KafkaJS. */
export const hostOf = (host: string): string => (host.startsWith('[') ? host.slice(1, -1).replaceAll('-', ':') : host);
