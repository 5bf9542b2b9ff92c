import { parentPort } from 'node:worker_threads';
import { Dice } from '../chaos/dice.ts';
import { answerTo } from './thread.ts';
import { fuzz, type Played, type Question } from './fuzz.ts';
import { KINDS } from './kinds.ts';
import { play } from './play.ts';

// `npm run fuzz -- --seconds 60 --seed 1`: odd inputs of every kind, in a thread that is watched.
if (parentPort !== null)
  answerTo(parentPort, async ({ kind, seed }: Question): Promise<Played> => {
    const input = await KINDS[kind](new Dice(seed));
    const problem = await play(input);
    return { input: problem === null ? null : input, problem };
  });
else process.exitCode = await fuzz(process.argv.slice(2), new URL(import.meta.url));
