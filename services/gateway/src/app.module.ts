import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { KafkaRpcClient } from '@po/messaging';
import { ActorSigner } from '@po/platform';
import { Announcements } from './authentication/announcements.js';
import { AuthenticationGuard } from './authentication/authentication.guard.js';
import { Callers } from './authentication/callers.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { RateLimits } from './rate-limit/rate-limits.js';
import { MeController } from './routes/me.controller.js';
import { RELAYED } from './routes/operations.js';
import { relayController } from './routes/relay.controller.js';
import { TransitionsController } from './routes/transitions.controller.js';
import { Upstream } from './routes/upstream.js';

export interface Resources {
  client: KafkaRpcClient;
  signer: ActorSigner;
  callers: Callers;
  announcements: Announcements;
  rateLimits: RateLimits;
}

@Module({})
export class AppModule {
  static register(resources: Resources): DynamicModule {
    return {
      module: AppModule,
      controllers: [relayController(RELAYED), TransitionsController, MeController],
      providers: [
        Upstream,
        { provide: KafkaRpcClient, useValue: resources.client },
        { provide: ActorSigner, useValue: resources.signer },
        { provide: Callers, useValue: resources.callers },
        { provide: Announcements, useValue: resources.announcements },
        { provide: RateLimits, useValue: resources.rateLimits },
        // In this order: a request is counted for the user that the first guard found.
        { provide: APP_GUARD, useClass: AuthenticationGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
      ],
    };
  }
}
