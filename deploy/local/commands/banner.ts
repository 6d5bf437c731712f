import type { StackFile } from '../stack/stack-file.js';

/** What a person needs to use a stack that just started: addresses, tokens and calls that work when pasted. */
export function banner(stack: StackFile, file: string, how: string): string {
  const { gatewayUrls, gatewayUrl, tokens } = stack;
  const lines = [
    '',
    `Ready: ${how}`,
    '',
    ...gatewayUrls.map((url) => `  API         ${url}/api`),
    `  JWKS        ${stack.jwksUrl}`,
    `  Kafka       ${stack.kafkaBrokers}`,
    `  PostgreSQL  ${stack.databaseUrls.purchaseOrders}`,
    `              ${stack.databaseUrls.notifications}`,
    `  Redis       ${stack.redisUrl}`,
    ...Object.entries(stack.managementUrls).map(([service, urls]) => `  health      ${urls.join(' ')}  ${service}`),
    `  all of it   ${file}`,
    '',
  ];
  const users = Object.entries(tokens);
  if (users.length > 0) {
    lines.push('A token of each demo user, for 24 hours (another one: npm run token -- --as buyer):', '');
    for (const [user, token] of users) lines.push(`${user}`, token, '');
    lines.push('Try:', '');
    const call = (user: keyof typeof tokens, path: string) =>
      `curl -s '${gatewayUrl}/api${path}' -H 'X-User-Token: ${tokens[user]}'`;
    lines.push(call('buyer', '/purchase-orders?status=Pending%20Approval&limit=3'), '');
    lines.push(call('vendor:ACME', '/notifications?limit=3'), '');
    lines.push(call('viewer', '/dashboard/kpis'), '');
  }
  lines.push('Ctrl-C stops everything.', '', '');
  return lines.join('\n');
}
