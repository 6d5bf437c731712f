import { Callers } from '@po/gateway/dist/authentication/callers.js';
import { TokenVerifier } from '@po/gateway/dist/authentication/token.js';
import type { Config } from '@po/gateway/dist/config.js';
import { keySetOf, tokenSettingsOf } from '@po/gateway/dist/start.js';
import type { Logger } from '@po/platform';

/** The gateway's own verification of user tokens, fetching the identity provider's keys from now on. */
export function callersBy(config: Config, logger: Logger): Callers {
  const keys = keySetOf(config, logger);
  keys.start();
  return new Callers(new TokenVerifier(keys, tokenSettingsOf(config)), keys);
}
