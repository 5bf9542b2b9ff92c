import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { storedEventShape } from '../../src/events/stored-event.ts';
import { createEvent } from '../../src/events/event.ts';
import { addAll, anEvent } from '../helpers/event-builders.ts';
import { documentOf } from '../helpers/flows.ts';
import { aScene, NOON, type Scene } from '../helpers/scene.ts';

const MINUTE_MS = 60_000;

/** Three events, five minutes apart. */
async function stored(): Promise<Scene> {
  const scene = aScene();
  const at = (minutes: number) => NOON - minutes * MINUTE_MS;
  await addAll(
    scene.events,
    anEvent(
      { event_id: 't1', event: 'fans.tip.received', account_id: 101, fan: { id: '7' }, amount: 5 },
      at(15),
    ),
    anEvent({ event_id: 'p1', event: 'fans.ppv.purchased', account_id: 102, fan: { id: '8' } }, at(10)),
    anEvent({ event_id: 'x1', odd: true, account_id: 999 }, at(5)),
  );
  return scene;
}

async function refsOf(scene: Scene, ...flags: string[]): Promise<string[]> {
  const { stdout } = await scene.herald('events', 'list', '--format', 'ndjson', ...flags);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => String((JSON.parse(line) as { id: unknown }).id));
}

describe('events list', () => {
  it('shows the newest first', async () => {
    const scene = await stored();
    const { code, stdout } = await scene.herald('events', 'list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/unknown .*\n.*fans\.ppv\.purchased +bob +8 .*\n.*fans\.tip\.received +alice +7 /);
  });

  it.each([
    [
      ['--kind', 'fans.*'],
      ['p1', 't1'],
    ],
    [['--account', 'alice'], ['t1']],
    [['--account', '999'], ['x1']],
    [['--fan', '8'], ['p1']],
    [
      ['--from', '12m'],
      ['x1', 'p1'],
    ],
    [['--to', '12m'], ['t1']],
    [['--limit', '1'], ['x1']],
    [['--source', 'list'], []],
  ])('takes %j', async (flags, expected) => {
    expect(await refsOf(await stored(), ...flags)).toEqual(expected);
  });
});

describe('events show and tail', () => {
  it('show prints the body as it came, and JSON is herald/event/1', async () => {
    const scene = await stored();
    const { stdout } = await scene.herald('events', 'show', 't1');
    expect(stdout).toContain('account: alice');
    expect(stdout).toContain('{"event_id":"t1","event":"fans.tip.received"');
    const shown = documentOf(
      await scene.herald('events', 'show', 't1', '--format', 'json'),
      storedEventShape,
    );
    expect(shown.body).toContain('"amount":5');
    const missing = await scene.herald('events', 'show', 'nothing');
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining('No stored event has the ref'),
    ]);
  });

  it('tail prints what is stored from now on', async () => {
    const scene = await stored();
    const run = scene.start('events', 'tail', '--limit', '1', '--format', 'ndjson');
    let isOver = false;
    void run.ran.then(() => (isOver = true));
    // Nothing tells when it has begun to look.
    for (let number = 1; !isOver; number += 1) {
      await addAll(scene.events, anEvent({ event_id: `new${number}`, event: 'fans.tip.received' }, NOON));
      await scene.clock.sleep(1_000);
    }
    const { code, stdout } = await run.ran;
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { id: expect.stringMatching(/^new\d+$/), kind: 'fans.tip.received' },
    ]);
  });
});

describe('events register', () => {
  const URL_1 = 'https://events.example/events/SECRET';

  it('prints what to enter', async () => {
    const { stdout } = await aScene().herald('events', 'register', URL_1, '--account', 'alice');
    expect(stdout).toMatch(/URL: +https:.*SECRET\nAccounts: alice\nEvents: +vault\.media_upload\.created, /);
  });

  it.each([
    [[URL_1, URL_1, URL_1], '3 times; 2 may be the same'],
    [[`${URL_1}1`, `${URL_1}2`, `${URL_1}3`, '--account', '101'], 'An account can have 2 addresses'],
    [Array.from({ length: 101 }, (_, number) => `${URL_1}${number}`), 'An organisation can have 100'],
    [['nowhere'], 'nowhere is not an address'],
  ])('checks the limits of the service: %#', async (urls, said) => {
    const { code, stderr } = await aScene().herald('events', 'register', ...urls);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  });
});

describe('events forget', () => {
  it('erases the events of one fan, wherever the id is, and no others', async () => {
    const scene = await stored();
    await addAll(
      scene.events,
      anEvent({ event_id: 'a', buyer_id: 7 }),
      anEvent({ event_id: 'b', who: { name: 'x', list: ['7'] } }),
      anEvent({ event_id: 'c', text: 'a7', other_id: 77 }),
    );
    const asked = await scene.herald('events', 'forget', '7');
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('Add --yes')]);
    const { stdout } = await scene.herald('events', 'forget', '7', '--yes');
    expect(stdout).toContain('Erased 3 events of fan 7');
    expect(await refsOf(scene)).toEqual(expect.arrayContaining(['c', 'p1', 'x1']));
    expect(await refsOf(scene)).toHaveLength(3);
  });

  it.each(['fan_id=190017', 'id=900171', '{"hash":"a90017c"}'])(
    'leaves what only looks like the id: %s',
    async (body) => {
      const scene = aScene();
      await addAll(scene.events, createEvent(Buffer.from(body), NOON));
      expect((await scene.herald('events', 'forget', '90017', '--yes')).stdout).toContain('Erased 0 events');
    },
  );

  it('names events that it cannot read, and how to erase them', async () => {
    const scene = aScene();
    const packed = gzipSync('{"fan":{"id":"90017"}}');
    await addAll(scene.events, createEvent(packed, NOON), anEvent({ fan_id: '90017' }));
    const { code, stdout, stderr } = await scene.herald('events', 'forget', '90017', '--yes');
    expect([code, stdout]).toEqual([4, expect.stringContaining('Erased 1 event ')]);
    expect(stderr).toContain('1 event has a body that Herald cannot read');
    expect(stderr).toMatch(/herald events show \w{10}\. .*herald events forget 90017 --unreadable/);
    const again = await scene.herald('events', 'forget', '90017', '--unreadable', '--yes');
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Erased 1 event ')]);
  });
});
