import { type DynamicModule, Module } from '@nestjs/common';
import { KafkaRpcClient } from '@po/messaging';
import { Availability } from './availability.js';
import { Counters } from './projection/counters.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardQueries } from './dashboard.queries.js';
import { DashboardService } from './dashboard.service.js';

export interface Resources {
  counters: Counters;
  availability: Availability;
  purchaseOrders: KafkaRpcClient;
}

@Module({})
export class AppModule {
  static register({ counters, availability, purchaseOrders }: Resources): DynamicModule {
    return {
      module: AppModule,
      controllers: [DashboardController],
      providers: [
        DashboardService,
        DashboardQueries,
        { provide: Counters, useValue: counters },
        { provide: Availability, useValue: availability },
        { provide: KafkaRpcClient, useValue: purchaseOrders },
      ],
    };
  }
}
