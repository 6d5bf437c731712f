import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { register } from 'prom-client';
import type { LeasesRedis } from '../admission/lease-limiter.js';
import { SMALL_BODY, UploadAdmission } from '../admission/upload-admission.js';
import { admissionLimitsOf } from '../start.js';
import { DEFAULTS } from '../fixtures/defaults.js';
import { withBody } from './body-bytes.js';

it('a body that is refused while its lease is being requested keeps neither memory nor lease', async () => {
  // Stub of Redis, which grants the lease when the test tells it to.
  const leaseRequests = new PassThrough();
  const leased = Promise.withResolvers<number>();
  const leases = new Set<unknown>();
  const redis = {
    takeLease: (_key: string, _limit: number, _ms: number, lease: string) => {
      leases.add(lease);
      leaseRequests.write('asked');
      return leased.promise;
    },
    zrem: (_key: string, lease: string) => Promise.resolve(leases.delete(lease)),
  } as unknown as LeasesRedis;
  const uploads = new UploadAdmission(redis, { ...admissionLimitsOf(DEFAULTS), smallBodyMs: 100 });
  const raw = new PassThrough();
  const context = { caller: { actor: { sub: 'u-1' } } };
  const request = { headers: {}, raw, context, server: { uploads } } as unknown as FastifyRequest;
  const read = withBody(request, { media: [], maxBytes: 1024 * 1024 }, () => 'read');
  raw.write(Buffer.alloc(SMALL_BODY + 1));
  await once(leaseRequests, 'data');
  await expect(read).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  leased.resolve(1);
  await new Promise(setImmediate);
  raw.destroy();
  const [reserved] = (await register.getSingleMetric('upload_bytes_reserved')!.get()).values;
  expect([reserved?.value, [...leases]]).toEqual([0, []]);
  await uploads.settle();
});
