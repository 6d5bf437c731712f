import { Controller } from '@nestjs/common';
import { type NoParameters, PATTERNS, type Preferences, type Unsubscription } from '@po/contracts';
import { RequestPattern, type Reply, type RpcContext } from '@po/messaging';
import { PreferencesService } from './preferences.service.js';

@Controller()
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  @RequestPattern(PATTERNS.preferences)
  get(_query: NoParameters, { actor }: RpcContext): Promise<Reply<Preferences>> {
    return this.preferences.get(actor);
  }

  @RequestPattern(PATTERNS.replacePreferences)
  replace(chosen: Preferences, context: RpcContext): Promise<Reply<Preferences>> {
    return this.preferences.replace(chosen, context);
  }

  @RequestPattern(PATTERNS.turnOffMail)
  turnOff(command: Unsubscription, context: RpcContext): Promise<Reply<never>> {
    return this.preferences.turnOff(command, context);
  }
}
