// Images load this file first: process 1 of a container ignores signals without a listener, and orchestrators send SIGTERM only once.
// A service has not started yet; then `drainOnSignal` replaces these listeners. A job can run again, but must not count as successful.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, (_name, number: number) => process.exit(128 + number));
