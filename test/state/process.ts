import { writeSync } from 'node:fs';
import pg from 'pg';
import { State } from '../../src/state/state.ts';
import { addAll, anEvent, eventStoreAt } from '../helpers/event-builders.ts';
import type { StateScript } from '../helpers/state-process.ts';
import { aRun, begun, CREATE, FROM_START, PAUSE } from '../helpers/state-requests.ts';
import { statements } from './counted-sqlite.ts';

const script = JSON.parse(process.argv[2] ?? '') as StateScript;
const { location, run, count = 2, killAt = null, pagesMax = null } = script;
const options = aRun(location, { run, who: null, holder: `process ${run}` });
const OTHER_USER = 65_534;

if (script.asOther === true && process.getuid?.() === 0) {
  process.setgid?.(OTHER_USER);
  process.setuid?.(OTHER_USER);
}
try {
  if (script.does === 'requests') await requests();
  else if (script.does === 'events') await addEvents();
  else if (script.does === 'hold') await hold();
  else await look();
} catch (error) {
  const { code, message, hint } = error as { code?: string; message: string; hint?: string };
  process.stderr.write(`${JSON.stringify({ code, message, hint })}\n`);
  process.exitCode = 1;
}

async function requests(): Promise<void> {
  const state = await State.take(options, 0);
  if (pagesMax !== null) limitPages(pagesMax);
  if (killAt !== null) killBefore(killAt);
  for (let index = 1; index <= count; index += 1) {
    const name = `Name ${index}`;
    const { entry, seq } = await begun(state, { ...CREATE, name, content: name });
    writeSync(1, `${name}\n`);
    const object = { account_id: '101', kind: 'campaign', live_id: String(index), name } as const;
    await state.end(entry, { outcome: 'done', live_id: object.live_id, answer: 'x'.repeat(500) }, [
      { kind: 'object', object: { ...object, ours: 1 } },
      { kind: 'status', object, status: 'active', by: 'apply', why: null, seq },
    ]);
  }
  await state.close();
}

async function addEvents(): Promise<void> {
  const events = eventStoreAt(location);
  await events.check();
  if (pagesMax !== null) limitPages(pagesMax);
  if (killAt !== null) killBefore(killAt);
  for (let index = 1; index <= count; index += 1) {
    const event = { event_id: `${run}-${index}`, text: 'x'.repeat(500) };
    await addAll(events, anEvent(event), anEvent({ event_id: `all-${index}` }));
    writeSync(1, `${run}-${index}\n`);
  }
}

async function hold(): Promise<void> {
  const state = await State.take(options, 0);
  const stays = setInterval(() => undefined, 60_000);
  process.on('SIGUSR2', () => {
    clearInterval(stays);
    void state
      .begin(CREATE, FROM_START)
      .then((begun) => writeSync(1, JSON.stringify(begun)))
      .then(() => process.exit());
  });
  process.stderr.write('held\n');
}

async function look(): Promise<void> {
  const reading = await State.openToRead(options);
  writeSync(1, `${(await reading.history({ limit: 10 })).length}\n`);
  await reading.close();
  const state = await State.join(options);
  await state.begin(PAUSE, null);
}

function killBefore(statement: number): void {
  let sent = 0;
  const count = () => {
    sent += 1;
    if (sent === statement) process.kill(process.pid, 'SIGKILL');
  };
  statements.before = count;
  const { query } = pg.Client.prototype as { query: (...values: unknown[]) => unknown };
  Object.assign(pg.Client.prototype, {
    query(this: unknown, ...values: unknown[]) {
      count();
      return query.apply(this, values);
    },
  });
}

function limitPages(pages: number): void {
  statements.before = (text, exec) => {
    if (text.startsWith('BEGIN')) exec(`PRAGMA max_page_count = ${pages}`);
  };
}
