import { cpus, loadavg, totalmem } from 'node:os';

/** What a run is measured on. */
export interface Machine {
  cores: number;
  memoryMb: number;
  node: string;
  loadAverageAtStart: number;
}

/** When a run starts, and on what. */
export interface RunStart {
  /** ISO 8601. */
  at: string;
  machine: Machine;
}

/** Of a run that starts now: call it before anything is started. */
export function startOfRun(): RunStart {
  const machine = {
    cores: cpus().length,
    memoryMb: Math.round(totalmem() / 2 ** 20),
    node: process.version,
    loadAverageAtStart: loadavg()[0] ?? 0,
  };
  return { at: new Date().toISOString(), machine };
}
