/** Runs each claim: the counts, and each failure with its stack. */
export async function report(claims, file) {
  const failures = [];
  for (const [name, check] of Object.entries(claims)) {
    try {
      await inTime(check());
    } catch (error) {
      failures.push({ file, name, error: String(error?.stack ?? error) });
    }
  }
  return { claims: Object.keys(claims).length, skipped: 0, failures };
}

export function equal(actual, expected) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`expected ${b}, received ${a}`);
}

/** The code of the error that a call rejects with. */
export async function codeOf(call) {
  try {
    await call;
  } catch (error) {
    return error.code;
  }
  throw new Error('It did not reject.');
}

/** A stalled claim is a failed claim. */
async function inTime(claim) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took more than 30 s.')), 30_000);
  });
  await Promise.race([claim, late]).finally(() => clearTimeout(timer));
}
