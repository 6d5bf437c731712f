import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.js';
import type { DemoUserName } from '../demo/users.js';

/** Every service with a process of its own: the chart's name of it, and what its folder, image, container and logs are called. */
export const SERVICE_NAMES = {
  gateway: 'gateway',
  purchaseOrders: 'purchase-orders',
  notifications: 'notifications',
  dashboard: 'dashboard',
  mail: 'mail',
} as const;
export type ServiceName = keyof typeof SERVICE_NAMES;
export const SERVICES = Object.keys(SERVICE_NAMES) as ServiceName[];

/** The description of a running stack for tests and tools: `stack.json`. One index in the gateways' lists is one replica. */
export interface StackFile {
  ready: boolean;
  /** Without `/api`. */
  gatewayUrl: string;
  gatewayUrls: string[];
  /** Null where nobody can sign in to it: it was not built, or the identity provider is not the demo one. */
  portalUrl: string | null;
  /** host:port, separated by commas. */
  kafkaBrokers: string;
  /** Of a role that sees every row. */
  databaseUrls: { purchaseOrders: string; notifications: string; mail: string };
  redisUrl: string;
  /** A page with the mails that were sent; null where they go to a mail server of one's own. */
  mailUrl: string | null;
  jwksUrl: string;
  issuer: string;
  audience: string;
  managementUrls: Record<ServiceName, string[]>;
  pids: Record<ServiceName, number[]> & { kafka: number | null; postgres: number | null; redis: number | null };
  /** Empty when the identity provider is not the demo one. */
  tokens: Partial<Record<DemoUserName, string>>;
}

export const stackFileIn = (dir: string): string => join(dir, 'stack.json');

export const writeStackFile = (dir: string, stack: StackFile): void =>
  replaceFile(stackFileIn(dir), `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });

/** The same while the stack runs: it goes on where this fails, as on a full disk. */
export function refreshStackFile(dir: string, stack: StackFile): void {
  try {
    writeStackFile(dir, stack);
  } catch (error) {
    console.error(`${stackFileIn(dir)} is not up to date:`, error);
  }
}

export const removeStackFile = (dir: string): Promise<void> => rm(stackFileIn(dir), { force: true });

/** The stack that runs in a folder, or null if none does. */
export function readStackFile(file: string): StackFile | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
