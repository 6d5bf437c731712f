import { counterFromZero } from '@po/platform';
import { Counter, Gauge } from 'prom-client';

export const admissionsRefused = counterFromZero(
  'admission_refusals_total',
  'Exports, uploads, imported files and responses refused because of a limit; limit: user, gateway',
  { kind: ['export', 'file', 'upload'], limit: ['user', 'gateway'] },
);
// No response is refused because of a limit of the gateway.
admissionsRefused.inc({ kind: 'answer', limit: 'user' }, 0);

export const exportsOpen = new Gauge({ name: 'exports_open', help: 'Exports that are being created or downloaded' });

export const exportsBroken = new Counter({
  name: 'exports_broken_total',
  help: 'Exports that the gateway aborted; reason: deadline, slow (the client read too slowly), shutdown',
  labelNames: ['reason'],
});

export const uploadsBroken = new Counter({
  name: 'uploads_broken_total',
  help: 'Uploads that the gateway aborted because the client sent too slowly',
});

export const uploadBytes = new Gauge({
  name: 'upload_bytes_reserved',
  help: 'Bytes of memory reserved for running uploads',
});
