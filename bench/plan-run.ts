import { Limiter } from '../src/api/limiter.ts';
import { systemClock } from '../src/host/clock.ts';
import { openWorkspace } from '../src/library/workspace.ts';

/** High above what any machine reaches: nothing waits for a rate. */
const NO_LIMITS = 10_000;

/** Plans the workspace of a directory and prints how many milliseconds it took: node scripts/run.js bench/plan-run.ts DIR */
const workspace = openWorkspace(process.argv[2] ?? '.', {
  apiKey: process.env['HERALD_API_KEY'] ?? '',
  env: process.env,
  ports: { rateBudget: () => new Limiter(systemClock, NO_LIMITS) },
});
const started = performance.now();
await workspace.plan({ allow: ['large', 'adopt'] });
await workspace.close();
console.log(Math.round(performance.now() - started));
