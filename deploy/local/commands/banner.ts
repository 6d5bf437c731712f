import { DEFAULT_DIR } from '../config.js';
import { DEMO_USERS, type DemoUser, type DemoUserName } from '../demo/users.js';
import { logsIn } from '../logs/log-files.js';
import { type StackFile, stackFileIn } from '../stack/stack-file.js';

export interface Started {
  stack: StackFile;
  /** Folder of all local data. */
  dir: string;
  /** Kind of stores and start time, as text. */
  startedAs: string;
}

const CALLS = [
  ['buyer', '/purchase-orders?limit=3'],
  ['vendor:ACME', '/notifications?limit=3'],
  ['viewer', '/dashboard/kpis'],
] as const satisfies [DemoUserName, string][];

/** Banner of a started stack for programs: addresses, tokens and calls to paste. */
export function banner({ stack, dir, startedAs }: Started): string {
  const lines = ['', `Ready: ${startedAs}`, '', ...addresses(stack), `  stack file  ${stackFileIn(dir)}`, ''];
  const users = Object.entries(stack.tokens);
  if (users.length > 0) {
    lines.push('A token of each demo user, valid for 24 hours (for a new token: npm run token -- --as buyer):', '');
    for (const [user, token] of users) lines.push(`${user}`, token, '');
    lines.push('Try:', '');
    for (const [user, path] of CALLS) {
      lines.push(`curl -s '${stack.gatewayUrl}/api${path}' -H 'X-User-Token: ${stack.tokens[user]}'`, '');
    }
  }
  lines.push('Ctrl-C stops everything.', '');
  return lines.join('\n');
}

/** Banner for people: short calls that fetch a token, instead of eight tokens. */
export function interactiveBanner({ stack, dir, startedAs }: Started): string {
  const { gatewayUrl, tokens } = stack;
  // For another terminal, so the command includes the folder of this stack.
  const run = (script: string) => `${dir === DEFAULT_DIR ? '' : `PO_LOCAL_DIR=${quoted(dir)} `}npm run ${script}`;
  const lines = ['', `Ready: ${startedAs}`, '', ...addresses(stack)];
  lines.push(`  logs        ${logsIn(dir)}`, `  stack file  ${stackFileIn(dir)}`, '');
  const users = Object.keys(tokens) as DemoUserName[];
  if (users.length > 0) {
    lines.push('Demo users:', '', ...users.map((user) => `  ${user.padEnd(15)} ${inWords(DEMO_USERS[user])}`), '');
    lines.push('In another terminal, in this folder:', '');
    for (const [user, path] of CALLS) {
      const token = `$(${run(`--silent token -- --as ${user}`)})`;
      lines.push(`  curl -s '${gatewayUrl}/api${path}' -H "X-User-Token: ${token}"`);
    }
  } else {
    lines.push('Tokens come from your identity provider. In another terminal, in this folder:', '');
  }
  lines.push(`  ${run('logs')}`, '', 'Ctrl-C stops everything.', '');
  return lines.join('\n');
}

const addresses = ({
  portalUrl,
  gatewayUrl,
  gatewayUrls,
  jwksUrl,
  kafkaBrokers,
  databaseUrls,
  redisUrl,
  mailUrl,
  managementUrls,
}: StackFile) => [
  ...(portalUrl === null ? [] : [`  portal      ${portalUrl}`]),
  ...gatewayUrls.map((url) => `  API         ${url}/api`),
  `  documents   ${gatewayUrl}/docs`,
  `  JWKS        ${jwksUrl}`,
  `  Kafka       ${kafkaBrokers}`,
  `  PostgreSQL  ${databaseUrls.purchaseOrders}`,
  `              ${databaseUrls.notifications}`,
  `              ${databaseUrls.mail}`,
  `  Redis       ${redisUrl}`,
  `  mails       ${mailUrl}`,
  ...Object.entries(managementUrls).map(([service, urls]) => `  health      ${urls.join(' ')}  ${service}`),
];

const inWords = ({ role, vendor_code: vendor, name }: DemoUser): string =>
  `${name}, ${role.toLowerCase()}${vendor === undefined ? '' : ` of ${vendor}`}`;

/** Quotes the text as one shell word. */
const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
