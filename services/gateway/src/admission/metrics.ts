import { Counter, Gauge } from 'prom-client';

export const admissionsRefused = new Counter({
  name: 'admission_refusals_total',
  help: 'Exports, uploads and files to be read that were one too many; limit: user, gateway',
  labelNames: ['kind', 'limit'],
});

export const exportsOpen = new Gauge({ name: 'exports_open', help: 'Exports that are being made or downloaded' });

export const exportsBroken = new Counter({
  name: 'exports_broken_total',
  help: 'Exports that the gateway broke off; reason: deadline, slow (the client took too little), shutdown',
  labelNames: ['reason'],
});

export const uploadsBroken = new Counter({
  name: 'uploads_broken_total',
  help: 'Uploads that the gateway broke off because their client sent too little',
});

export const uploadBytes = new Gauge({
  name: 'upload_bytes_reserved',
  help: 'Bytes of memory that uploads under way may take',
});
