const GRACE_MS = 10_000;

/** Jest's `globalTeardown`. A failed test may leave something that runs on, with which Jest would wait for ever. */
export default function endWhatIsLeft() {
  // Without a reference the timer keeps nothing alive itself.
  setTimeout(() => {
    process.stderr.write(`a test left something running: ended ${GRACE_MS / 1000} s after the last test\n`);
    process.exit(1);
  }, GRACE_MS).unref();
}
