import { commonSettings, loadConfig } from '@po/platform';
import { z } from 'zod';

const { KAFKA_BROKERS, KAFKA_SSL, KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD, LOG_LEVEL } =
  commonSettings;

/** What the topics job reads. */
export const readTopicsJobConfig = () =>
  loadConfig(
    z.object({ KAFKA_BROKERS, KAFKA_SSL, KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD, LOG_LEVEL }),
  );
