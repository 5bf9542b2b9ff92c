import type { Scene } from './scene.ts';

/**
 * The same beginning for many tests: made once for each set of arguments, and copied for each test, which changes only
 * its own copy. The arguments have to differ as JSON.
 */
export function madeOnce<Args extends readonly unknown[]>(
  make: (...args: Args) => Promise<Scene>,
): (...args: Args) => Promise<Scene> {
  const made = new Map<string, Promise<Scene>>();
  return async (...args) => {
    const key = JSON.stringify(args);
    const begun = made.get(key) ?? make(...args);
    made.set(key, begun);
    return (await begun).copy();
  };
}
