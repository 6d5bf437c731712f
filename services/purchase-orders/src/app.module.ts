import { type DynamicModule, Module } from '@nestjs/common';
import { OutboxRelay } from '@po/messaging';
import { ApprovalPoliciesController } from './policies/approval-policies.controller.js';
import { ApprovalPoliciesQueries } from './policies/approval-policies.queries.js';
import { ApprovalPoliciesService } from './policies/approval-policies.service.js';
import { ActivityQueries } from './orders/activity.queries.js';
import { ConversationController } from './conversation/conversation.controller.js';
import { ConversationQueries } from './conversation/conversation.queries.js';
import { ConversationService } from './conversation/conversation.service.js';
import { Databases } from './store/databases.js';
import { UserDirectory } from './conversation/user-directory.service.js';
import { ExportsQueries } from './orders/exports.queries.js';
import { InventoryController } from './inventory/inventory.controller.js';
import { InventoryService } from './inventory/inventory.service.js';
import { LookupsQueries } from './orders/lookups.queries.js';
import { PurchaseOrdersController } from './orders/purchase-orders.controller.js';
import { PurchaseOrdersQueries } from './orders/purchase-orders.queries.js';
import { PurchaseOrdersService } from './orders/purchase-orders.service.js';
import { OrderSettings } from './orders/order-settings.js';
import { AdoptedReminderSettings } from './store/adopted-reminder-settings.js';

export interface Resources {
  databases: Databases;
  relay: OutboxRelay;
  settings: OrderSettings;
  reminders: AdoptedReminderSettings;
}

@Module({})
export class AppModule {
  static register({ databases, relay, settings, reminders }: Resources): DynamicModule {
    return {
      module: AppModule,
      controllers: [PurchaseOrdersController, ConversationController, ApprovalPoliciesController, InventoryController],
      providers: [
        PurchaseOrdersService,
        PurchaseOrdersQueries,
        ApprovalPoliciesService,
        ApprovalPoliciesQueries,
        ExportsQueries,
        ActivityQueries,
        LookupsQueries,
        ConversationService,
        ConversationQueries,
        UserDirectory,
        InventoryService,
        { provide: Databases, useValue: databases },
        { provide: OutboxRelay, useValue: relay },
        { provide: OrderSettings, useValue: settings },
        { provide: AdoptedReminderSettings, useValue: reminders },
      ],
    };
  }
}
