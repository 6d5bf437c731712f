import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type IdentityFiles, makeAuthority, writeIdentity } from '@po/testing/certificates';
import { configurationProblems } from './config.js';
import { parsePostgresUrl, postgresRules, postgresTlsSettings, postgresUrl, withPostgresTls } from './postgres-url.js';
import { withCrossFieldRules } from './cross-field-rules.js';

const Settings = withCrossFieldRules(
  z.object({ DATABASE_URL_INTERNAL: postgresUrl, DATABASE_URL_VENDOR: postgresUrl.optional(), ...postgresTlsSettings }),
  postgresRules('DATABASE_URL_INTERNAL', 'DATABASE_URL_VENDOR'),
);
const URL_ = 'postgres://role:hunter2@db:5432/orders';

let dir: string;
let files: IdentityFiles;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'po-url-'));
  const authority = await makeAuthority('the company');
  files = await writeIdentity(dir, authority, await authority.certify('role'));
});
afterAll(() => rmSync(dir, { recursive: true }));

function problemsOf(environment: Record<string, string>): string[] {
  const { error } = Settings.safeParse(environment);
  const problems = error ? configurationProblems(Settings, error) : [];
  expect(problems.join()).not.toContain('hunter2');
  return problems;
}
const serversOf = (environment: Record<string, string>) => {
  const config = withPostgresTls(Settings.parse(environment));
  return [config.DATABASE_URL_INTERNAL, config.DATABASE_URL_VENDOR ?? URL_].map(parsePostgresUrl);
};

describe('a PostgreSQL URL', () => {
  it('has no TLS by default', () => {
    expect(serversOf({ DATABASE_URL_INTERNAL: URL_ })[0]).toEqual({
      url: URL_,
      sslmode: 'disable',
      files: { ca: undefined, cert: undefined, key: undefined },
    });
  });

  it('may contain all TLS settings under their libpq names', () => {
    const url = `${URL_}?sslmode=verify-full&sslrootcert=${files.ca}&sslcert=${files.cert}&sslkey=${files.key}&options=-c%20a=b`;
    expect(serversOf({ DATABASE_URL_INTERNAL: url })[0]).toEqual({
      url: `${URL_}?options=-c+a%3Db`,
      sslmode: 'verify-full',
      files: { ca: files.ca, cert: files.cert, key: files.key },
    });
  });

  it('takes missing settings from the variables, unless it disables TLS', () => {
    const environment = {
      DATABASE_URL_INTERNAL: URL_,
      DATABASE_URL_VENDOR: `${URL_}?sslmode=disable`,
      PGSSLMODE: 'verify-ca',
      PGSSLROOTCERT: files.ca,
      PGSSLCERT: files.cert,
      PGSSLKEY: files.key,
    };
    expect(serversOf(environment)).toMatchObject([
      { url: URL_, sslmode: 'verify-ca', files: { ca: files.ca, cert: files.cert, key: files.key } },
      { url: URL_, sslmode: 'disable', files: {} },
    ]);
  });

  it.each(['require', 'prefer', 'allow', 'no-verify', 'VERIFY-FULL'])('is refused with sslmode=%s', (sslmode) => {
    const allowed = /sslmode must be verify-full, verify-ca or disable: the other modes do not verify the server/;
    expect(problemsOf({ DATABASE_URL_INTERNAL: `${URL_}?sslmode=${sslmode}` })).toEqual([
      expect.stringMatching(allowed),
    ]);
    expect(problemsOf({ DATABASE_URL_INTERNAL: URL_, PGSSLMODE: sslmode })).toEqual([
      expect.stringMatching(/^PGSSLMODE: sslmode must be verify-full, verify-ca or disable/),
    ]);
  });

  it.each(['ssl=true', 'ssl=no-verify', 'uselibpqcompat=true', 'sslnegotiation=direct'])(
    'is refused with %s',
    (parameter) => {
      expect(problemsOf({ DATABASE_URL_INTERNAL: `${URL_}?${parameter}` })).toEqual([
        expect.stringMatching(/^DATABASE_URL_INTERNAL: must use sslmode instead of /),
      ]);
    },
  );

  it.each([
    'db:5432/orders',
    'mysql://db/orders',
    'postgres://',
    'postgres://role:hunter2/@db/orders',
    'postgres://a:1,b:2/orders',
    'postgres://role:hunter2%ab@db/orders',
  ])('is refused if malformed: %s', (url) =>
    expect(problemsOf({ DATABASE_URL_INTERNAL: url })).toEqual([expect.stringMatching(/must be a postgres:\/\/ URL/)]),
  );

  // pg takes such a % as itself.
  it('may have a % before other characters than hexadecimal digits', () =>
    expect(problemsOf({ DATABASE_URL_INTERNAL: 'postgres://role:hunter2%off@db/orders' })).toEqual([]));

  it('reports all problems of the URL and the settings at once', () => {
    writeFileSync(join(dir, 'empty'), '');
    const environment = {
      DATABASE_URL_INTERNAL: `${URL_}?sslmode=require&sslrootcert=${dir}/absent`,
      DATABASE_URL_VENDOR: `${URL_}?sslmode=verify-ca`,
      PGSSLROOTCERT: `${dir}/empty`,
      PGSSLKEY: files.key,
    };
    const problems = problemsOf(environment).join('\n');
    for (const problem of [
      /^DATABASE_URL_INTERNAL: sslmode must be/m,
      /^DATABASE_URL_INTERNAL: sslrootcert must be the path of a file with PEM certificates: .*ENOENT/m,
      /^PGSSLROOTCERT: must be the path of a file with PEM certificates: .*there is no certificate in it/m,
      /^PGSSLCERT: needed with PGSSLKEY/m,
    ])
      expect(problems).toMatch(problem);
  });

  it.each([
    ['certificates without TLS', 'PGSSLROOTCERT', 'needs sslmode=verify-full, or PGSSLMODE=verify-full'],
    ['no CA for verify-ca', 'PGSSLMODE', 'needs sslrootcert, or PGSSLROOTCERT, with verify-ca'],
    ['a certificate without its key', 'DATABASE_URL_INTERNAL', 'needs both sslcert and sslkey, or neither'],
  ])('is refused for %s', (_what, name, problem) => {
    const values = {
      PGSSLROOTCERT: files.ca,
      PGSSLMODE: 'verify-ca',
      DATABASE_URL_INTERNAL: `${URL_}?sslmode=verify-full&sslcert=${files.cert}`,
    };
    const environment = { DATABASE_URL_INTERNAL: URL_, [name]: values[name as keyof typeof values] };
    expect(problemsOf(environment)).toEqual([expect.stringMatching(new RegExp(`^DATABASE_URL_INTERNAL: ${problem}`))]);
  });
});
