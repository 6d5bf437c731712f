import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Authority, type IdentityFiles, writeIdentity } from '@po/testing/certificates';
import { readText } from '@po/testing/documents';
import { type RedisServers } from './redis-servers.js';
import type { RedisService } from './redis-features.js';

/** ACL file that platform teams start from, unchanged. */
export const usersAcl = (): string => readText('deploy/redis/users.acl');

const passwordOf = (user: string): string => `replace-this-${user}`;

/** Configuration of a Redis that requires TLS and authentication. */
export interface Secured {
  lines: string[];
  /** Credentials of the administrator. */
  client: { username: string; password: string; tls: { ca: string } };
  files: IdentityFiles;
  /** User and password of a service, as before the host in a URL. */
  login: (service: RedisService) => string;
}

export async function secureRedis(servers: Pick<RedisServers, 'folder'>, authority: Authority): Promise<Secured> {
  const files = await writeIdentity(join(servers.folder, 'server'), authority, await authority.certify('redis'));
  const acl = join(servers.folder, 'users.acl');
  await writeFile(acl, usersAcl());
  return {
    files,
    client: {
      username: 'administrator',
      password: passwordOf('administrator'),
      tls: { ca: await readFile(files.ca, 'utf8') },
    },
    lines: [
      `tls-cert-file ${files.cert}`,
      `tls-key-file ${files.key}`,
      `tls-ca-cert-file ${files.ca}`,
      'tls-auth-clients no',
      'tls-replication yes',
      `aclfile ${acl}`,
      'masteruser administrator',
      `masterauth ${passwordOf('administrator')}`,
    ],
    login: (service) => `${service}:${passwordOf(service)}`,
  };
}
