import { parentPort } from 'node:worker_threads';
import { processChaos } from './processes/main.ts';
import { asksForProcesses } from './processes/options.ts';
import { chaos } from './runner/chaos.ts';
import { runOf } from './runner/one-run.ts';
import { answerTo } from './runner/thread.ts';

// `npm run chaos -- --runs 500 --seed 1`: scenario after scenario, on a thread for each processor.
if (parentPort !== null) answerTo(parentPort, runOf);
else if (asksForProcesses(process.argv)) process.exitCode = await processChaos();
else process.exitCode = await chaos(new URL(import.meta.url));
