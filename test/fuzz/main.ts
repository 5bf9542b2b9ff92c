import { parentPort } from 'node:worker_threads';
import { Dice } from '../chaos/dice.ts';
import { fuzz, type Answer, type Question } from './fuzz.ts';
import { KINDS } from './kinds.ts';
import { play } from './play.ts';

// `npm run fuzz -- --seconds 60 --seed 1`: odd inputs of every kind, in a thread that is watched.
if (parentPort === null) process.exitCode = await fuzz(process.argv.slice(2), new URL(import.meta.url));
else parentPort.on('message', (question: Question) => void answer(question));

async function answer({ kind, seed }: Question): Promise<void> {
  const send = (ended: Answer) => parentPort?.postMessage(ended);
  try {
    const input = await KINDS[kind](new Dice(seed));
    const problem = await play(input);
    send({ result: { input: problem === null ? null : input, problem } });
  } catch (error) {
    send({ crash: error instanceof Error ? (error.stack ?? '') : String(error) });
  }
}
