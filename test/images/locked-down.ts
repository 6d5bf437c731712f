/** Module that prints the privileges of a container's first process as JSON. */
export const INSPECTION = `
  import { readFileSync, writeFileSync } from 'node:fs';
  const attempt = (file) => { try { writeFileSync(file, ''); return 'written'; } catch ({ code }) { return code; } };
  const status = readFileSync('/proc/1/status', 'utf8');
  const valuesOf = (name) => new RegExp('^' + name + ':\\\\s*(.*)$', 'm').exec(status)[1].split(/\\s+/);
  console.log(JSON.stringify({
    command: readFileSync('/proc/1/cmdline', 'utf8').split('\\0')[0],
    ids: [...valuesOf('Uid'), ...valuesOf('Gid')].map(Number),
    capabilities: ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => Number('0x' + valuesOf(name)[0])),
    canGainMore: valuesOf('NoNewPrivs')[0] === '0',
    places: ['/x', '/app/x', 'dist/x', '/var/tmp/x', '/run/x', '/tmp/x'].map(attempt),
  }));`;

/** Output of the module in a container that has only the privileges a service needs. */
export const LOCKED_DOWN = {
  command: 'node',
  ids: Array.from({ length: 8 }, () => 10_001),
  capabilities: [0, 0, 0, 0, 0],
  canGainMore: false,
  places: ['EROFS', 'EROFS', 'EROFS', 'EROFS', 'EROFS', 'written'],
};
