import { type DynamicModule, Module } from '@nestjs/common';
import { OutboxRelay } from '@po/messaging';
import { Databases } from './store/databases.js';
import { InboxSignals } from './inbox/inbox-signals.js';
import { UserRetention } from './store/user-directory.js';
import { FanOutController } from './fan-out/fan-out.controller.js';
import { FanOutService } from './fan-out/fan-out.service.js';
import { NotificationsController } from './inbox/notifications.controller.js';
import { NotificationsQueries } from './inbox/notifications.queries.js';
import { NotificationsService } from './inbox/notifications.service.js';
import { UsersController } from './users/users.controller.js';
import { UserDirectory } from './users/user-directory.service.js';
import { DefaultPreferences } from './preferences/default-preferences.js';
import { PreferencesController } from './preferences/preferences.controller.js';
import { PreferencesService } from './preferences/preferences.service.js';
import { ViewsController } from './views/views.controller.js';
import { ViewsService } from './views/views.service.js';

export interface Resources {
  databases: Databases;
  relay: OutboxRelay;
  signals: InboxSignals;
  userRetention: UserRetention;
  defaults: DefaultPreferences;
}

@Module({})
export class AppModule {
  static register({ databases, relay, signals, userRetention, defaults }: Resources): DynamicModule {
    return {
      module: AppModule,
      controllers: [NotificationsController, FanOutController, UsersController, PreferencesController, ViewsController],
      providers: [
        NotificationsQueries,
        NotificationsService,
        FanOutService,
        UserDirectory,
        PreferencesService,
        ViewsService,
        { provide: Databases, useValue: databases },
        { provide: OutboxRelay, useValue: relay },
        { provide: InboxSignals, useValue: signals },
        { provide: UserRetention, useValue: userRetention },
        { provide: DefaultPreferences, useValue: defaults },
      ],
    };
  }
}
