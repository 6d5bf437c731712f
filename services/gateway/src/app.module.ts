import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { KafkaRpcClient } from '@po/messaging';
import { ActorSigner } from '@po/platform';
import { Announcements } from './authentication/announcements.js';
import { AuthenticationGuard } from './authentication/authentication.guard.js';
import { Callers } from './authentication/callers.js';
import { DashboardController } from './routes/dashboard.controller.js';
import { LookupsController } from './routes/lookups.controller.js';
import { MeController } from './routes/me.controller.js';
import { NotificationsController } from './routes/notifications.controller.js';
import { PurchaseOrdersController } from './routes/purchase-orders.controller.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { RateLimits } from './rate-limit/rate-limits.js';
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
      controllers: [
        PurchaseOrdersController,
        NotificationsController,
        DashboardController,
        LookupsController,
        MeController,
      ],
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
