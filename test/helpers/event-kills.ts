import { setTimeout as wait } from 'node:timers/promises';
import type { Listening } from './listening.ts';
import { runs } from './properties.ts';

export const { numRuns: RESTARTS } = runs(4);
/** For all of them, on a machine that is busy. */
export const KILLS_MS_MAX = 180_000;

const SENDERS = 4;

/** Sends to a receiver without a pause, and kills and restarts it meanwhile. Gives the ids that were answered with 200. */
export async function killOften(start: () => Promise<Listening>): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  let number = 0;
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const { run, url } = await start();
    let isOver = false;
    const send = async () => {
      while (!isOver) {
        number += 1;
        const id = String(number);
        const status = await fetch(url, { method: 'POST', body: `{"event_id":${id}}` })
          .then((answer) => answer.status)
          .catch(() => null);
        if (status === 200) acknowledged.push(id);
      }
    };
    const sending = Promise.all(Array.from({ length: SENDERS }, send));
    // Another number of events each time.
    const aim = acknowledged.length + 20 + ((restart * 37) % 100);
    while (acknowledged.length < aim) await wait(1);
    run.kill('SIGKILL');
    await run.ran;
    isOver = true;
    await sending;
  }
  return acknowledged;
}
