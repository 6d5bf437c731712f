function required(variable: string, store: string): string {
  const value = process.env[variable];
  if (!value) {
    throw new Error(`this test needs a real ${store}: set ${variable}, or use "npm run integration", which starts one`);
  }
  return value;
}

/** Brokers of Kafka for integration tests. Throws with instructions if none is configured. */
export const kafkaBrokers = (): string[] => required('KAFKA_BROKERS', 'Kafka').split(',');

/** URL of a PostgreSQL role that may create databases and roles. */
export const databaseUrl = (): string => required('DATABASE_URL', 'PostgreSQL');

export const redisUrl = (): string => required('REDIS_URL', 'Redis');
