const slow = globalThis.setTimeout;
let users = 0;

const quick = (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
  ms === 0 ? setImmediate(work, ...args) : slow(work, ms, ...args);

/**
 * Octokit's limiters wait for a timer of 0 ms again and again in each call, and each takes a millisecond or more. As
 * turns of the event loop, they take none. Returns what ends it.
 */
export function quickTurns(): () => void {
  users += 1;
  globalThis.setTimeout = quick as unknown as typeof setTimeout;
  return () => {
    users -= 1;
    if (users === 0) globalThis.setTimeout = slow;
  };
}
