import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Admission } from './admission/admission.js';
import { ExportAdmission } from './admission/export-admission.js';
import { Announcements } from './authentication/announcements.js';
import { CallerGuard } from './caller.guard.js';
import { Callers } from './authentication/callers.js';
import { RateLimits } from './rate-limit/rate-limits.js';
import { ConversationController } from './routes/orders/conversation.controller.js';
import { DashboardController } from './routes/dashboard.controller.js';
import { ExportsController } from './routes/orders/exports.controller.js';
import { ImportsController } from './routes/orders/imports.controller.js';
import { LookupsController } from './routes/lookups.controller.js';
import { ApprovalPoliciesController } from './routes/approval-policies.controller.js';
import { MailController } from './routes/notifications/mail.controller.js';
import { MeController } from './routes/users/me.controller.js';
import { NotificationsController } from './routes/notifications/notifications.controller.js';
import { PurchaseOrdersController } from './routes/orders/purchase-orders.controller.js';
import { TransitionsController } from './routes/orders/transitions.controller.js';
import { UsersController } from './routes/users/users.controller.js';
import { ViewsController } from './routes/users/views.controller.js';
import { Upstream } from './routes/upstream.js';
import { StreamController } from './stream/stream.controller.js';
import { Streams } from './stream/streams.js';

export interface Resources {
  callers: Callers;
  announcements: Announcements;
  rateLimits: RateLimits;
  upstream: Upstream;
  streams: Streams;
  admission: Admission;
}

@Module({})
export class AppModule {
  static register(resources: Resources): DynamicModule {
    return {
      module: AppModule,
      controllers: [
        PurchaseOrdersController,
        ConversationController,
        NotificationsController,
        DashboardController,
        LookupsController,
        TransitionsController,
        ExportsController,
        ImportsController,
        MeController,
        StreamController,
        UsersController,
        ViewsController,
        MailController,
        ApprovalPoliciesController,
      ],
      providers: [
        { provide: Upstream, useValue: resources.upstream },
        { provide: ExportAdmission, useValue: resources.admission.exports },
        { provide: Streams, useValue: resources.streams },
        { provide: Callers, useValue: resources.callers },
        { provide: Announcements, useValue: resources.announcements },
        { provide: RateLimits, useValue: resources.rateLimits },
        { provide: APP_GUARD, useClass: CallerGuard },
      ],
    };
  }
}
