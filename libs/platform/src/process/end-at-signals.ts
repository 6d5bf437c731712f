// Images load it before everything else: process 1 of a container ignores a signal that nothing listens to, and orchestrators send it once.
// Nothing is begun yet; `drainOnSignal` takes over.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
