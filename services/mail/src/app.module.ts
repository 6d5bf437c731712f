import { type DynamicModule, Module } from '@nestjs/common';
import { Database } from '@po/database';
import { Suppressions } from './delivery/suppressions.js';
import { MailController } from './mail.controller.js';
import { Grouping, QueueService } from './queue/queue.service.js';
import { UserDirectory } from './queue/user-directory.service.js';
import { UnsubscribeTokens } from './unsubscribe/tokens.js';

export interface Resources {
  database: Database;
  grouping: Grouping;
  suppressions: Suppressions;
  tokens: UnsubscribeTokens;
}

@Module({})
export class AppModule {
  static register({ database, grouping, suppressions, tokens }: Resources): DynamicModule {
    return {
      module: AppModule,
      controllers: [MailController],
      providers: [
        QueueService,
        UserDirectory,
        { provide: Database, useValue: database },
        { provide: Grouping, useValue: grouping },
        { provide: Suppressions, useValue: suppressions },
        { provide: UnsubscribeTokens, useValue: tokens },
      ],
    };
  }
}
