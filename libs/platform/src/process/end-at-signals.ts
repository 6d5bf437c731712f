// Images load this file first: process 1 of a container ignores signals without a listener, and orchestrators send SIGTERM only once.
// No work has started yet, so the process can exit. `drainOnSignal` replaces these listeners.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
