import { type DynamicModule, Module } from '@nestjs/common';
import { OutboxRelay } from '@po/messaging';
import { ActivityQueries } from './activity.queries.js';
import { CommentRules } from './comment-rules.js';
import { Databases } from './databases.js';
import { InventoryController } from './inventory.controller.js';
import { InventoryService } from './inventory.service.js';
import { LookupsQueries } from './lookups.queries.js';
import { PurchaseOrdersController } from './purchase-orders.controller.js';
import { PurchaseOrdersQueries } from './purchase-orders.queries.js';
import { PurchaseOrdersService } from './purchase-orders.service.js';

export interface Resources {
  databases: Databases;
  relay: OutboxRelay;
  rules: CommentRules;
}

@Module({})
export class AppModule {
  static register({ databases, relay, rules }: Resources): DynamicModule {
    return {
      module: AppModule,
      controllers: [PurchaseOrdersController, InventoryController],
      providers: [
        PurchaseOrdersService,
        PurchaseOrdersQueries,
        ActivityQueries,
        LookupsQueries,
        InventoryService,
        { provide: Databases, useValue: databases },
        { provide: OutboxRelay, useValue: relay },
        { provide: CommentRules, useValue: rules },
      ],
    };
  }
}
