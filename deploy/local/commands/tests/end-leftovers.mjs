const GRACE_MS = 10_000;

/** Jest's `globalTeardown`. Without it, Jest would wait forever for something that a failed test left running. */
export default function endLeftovers() {
  // Unreferenced, so that the timer itself does not keep the process alive.
  setTimeout(() => {
    process.stderr.write(`a test left something running: ended ${GRACE_MS / 1000} s after the last test\n`);
    process.exit(1);
  }, GRACE_MS).unref();
}
