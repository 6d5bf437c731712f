import { expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { GatewaySettings } from '../../../services/gateway/src/config.js';
import { Settings as MailSettings } from '../../../services/mail/src/config.js';
import { configSchema } from './settings-schema.js';

const SETTINGS = { ...GatewaySettings.shape, ...MailSettings.shape };
const ajv = new Ajv();

it.each([
  ['DKIM_SELECTOR', 'Orders1', true],
  ['DKIM_SELECTOR', 'orders_1', false],
  ['AUTH_ALGORITHMS', 'RS256, ES256', true],
  ['AUTH_ALGORITHMS', 'RS256 ES256', false],
  ['PORTAL', 'false', true],
  ['PORTAL', 'yes', false],
  ['MAIL_RATE_PER_SECOND', 0.1, true],
  ['MAIL_RATE_PER_SECOND', 0, false],
] as const)('the chart and the service agree about %s %j: %s', (name, value, isValid) => {
  const setting = SETTINGS[name];
  expect(setting.safeParse(String(value)).success).toBe(isValid);
  expect(ajv.validate(JSON.parse(JSON.stringify(configSchema({ [name]: setting }))), { [name]: value })).toBe(isValid);
});
