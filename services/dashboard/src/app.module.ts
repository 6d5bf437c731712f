import { type DynamicModule, Module } from '@nestjs/common';
import { KafkaRpcClient } from '@po/messaging';
import { Breaker } from '@po/redis';
import { Counters } from './projection/counters.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardQueries } from './dashboard.queries.js';
import { DashboardService } from './dashboard.service.js';

export interface Resources {
  counters: Counters;
  breaker: Breaker;
  purchaseOrders: KafkaRpcClient;
}

@Module({})
export class AppModule {
  static register({ counters, breaker, purchaseOrders }: Resources): DynamicModule {
    return {
      module: AppModule,
      controllers: [DashboardController],
      providers: [
        DashboardService,
        DashboardQueries,
        { provide: Counters, useValue: counters },
        { provide: Breaker, useValue: breaker },
        { provide: KafkaRpcClient, useValue: purchaseOrders },
      ],
    };
  }
}
