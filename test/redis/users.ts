import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Authority, type IdentityFiles, writeIdentity } from '@po/testing/certificates';
import { textOf } from '@po/testing/documents';
import { type RedisServers } from './redis-servers.js';
import type { Part } from './parts.js';

/** The file that platform teams begin with, as it is. */
export const usersAcl = (): string => textOf('deploy/redis/users.acl');

const passwordOf = (user: string): string => `replace-this-${user}`;

/** Lines of a Redis that is reached by TLS alone, and asks everybody who they are. */
export interface Secured {
  lines: string[];
  /** How the administrator comes in. */
  client: { username: string; password: string; tls: { ca: string } };
  files: IdentityFiles;
  /** What each service logs in with, before the host of a URL. */
  login: (part: Part) => string;
}

export async function secured(servers: Pick<RedisServers, 'folder'>, authority: Authority): Promise<Secured> {
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
    login: (part) => `${part}:${passwordOf(part)}`,
  };
}
