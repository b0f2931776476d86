const EXIT_ON_SECOND_SIGNAL = 130;

/** Resolves on the first SIGINT or SIGTERM; a second one ends the process immediately. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const onSignal = () => {
      if (stopping) process.exit(EXIT_ON_SECOND_SIGNAL);
      stopping = true;
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
