import 'reflect-metadata';
import { runService } from '@po/platform';
import { readConfig } from './config.js';
import { start } from './start.js';

await runService('mail', readConfig, start);
