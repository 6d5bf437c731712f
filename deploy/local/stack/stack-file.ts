import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.js';
import type { DemoUserName } from '../demo/users.js';

/** Services by their names in the chart's values, with the name of their folder, image, container and logs. */
export const SERVICE_NAMES = {
  gateway: 'gateway',
  purchaseOrders: 'purchase-orders',
  notifications: 'notifications',
  dashboard: 'dashboard',
  mail: 'mail',
} as const;
export type ServiceName = keyof typeof SERVICE_NAMES;
export const SERVICES = Object.keys(SERVICE_NAMES) as ServiceName[];

/** Content of `stack.json`: a running stack for tests and tools. An index in the gateways' lists is a replica. */
export interface StackFile {
  ready: boolean;
  /** Base URL without `/api`. */
  gatewayUrl: string;
  gatewayUrls: string[];
  /** Null if nobody can sign in: the portal was not built, or the identity provider is external. */
  portalUrl: string | null;
  /** host:port, separated by commas. */
  kafkaBrokers: string;
  /** URLs for a role that sees every row. */
  databaseUrls: { purchaseOrders: string; notifications: string; mail: string };
  redisUrl: string;
  /** Page with the sent mails. */
  mailUrl: string;
  jwksUrl: string;
  issuer: string;
  audience: string;
  managementUrls: Record<ServiceName, string[]>;
  pids: Record<ServiceName, number[]> & { kafka: number | null; postgres: number | null; redis: number | null };
  /** Empty with an external identity provider. */
  tokens: Partial<Record<DemoUserName, string>>;
}

export const stackFileIn = (dir: string): string => join(dir, 'stack.json');

export const writeStackFile = (dir: string, stack: StackFile): void =>
  replaceFile(stackFileIn(dir), `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });

/** Writes `stack.json` of a running stack. A failure, such as a full disk, is only logged. */
export function refreshStackFile(dir: string, stack: StackFile): void {
  try {
    writeStackFile(dir, stack);
  } catch (error) {
    console.error(`${stackFileIn(dir)} is not up to date:`, error);
  }
}

export const removeStackFile = (dir: string): Promise<void> => rm(stackFileIn(dir), { force: true });

/** Reads `stack.json`; null if it does not exist. */
export function readStackFile(file: string): StackFile | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
