import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  dieBefore,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
  worstDispatch,
  writesSent,
} from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene } from '../helpers/scene.ts';

const HOUR = 3_600_000;

const first = { campaigns: [campaign()], broadcasts: [broadcast()] };
const second = {
  campaigns: [campaign({ messages: [{ text: 'Hello' }] })],
  broadcasts: [broadcast({ messages: [{ text: 'Tonight' }] })],
};

const KINDS = [
  { kind: 'campaign', of: 'campaigns', running: 'active', back: 'PATCH campaigns.set-status' },
  { kind: 'broadcast', of: 'broadcasts', running: 'scheduled', back: 'PATCH broadcasts.set-status' },
] as const;

const edited = madeOnce(async (of: 'campaigns' | 'broadcasts') => {
  const scene = aScene({ files: declaring({ [of]: first[of] }) });
  expect((await applied(scene)).code).toBe(0);
  Object.assign(scene.files.tree, declaring({ [of]: second[of] }));
  return scene;
});

describe.each(KINDS)('a replaced $kind', ({ kind, of, running, back }) => {
  // CONTENT-24
  it('is paused first, then created again, and stays so', async () => {
    const scene = await edited(of);
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    expect(await writesSent(scene)).toEqual([`POST ${of}.create`, back, `POST ${of}.create`]);
    expect(await statuses(scene, kind)).toEqual(['paused', running]);
    expect(decisions(await planned(scene))).toEqual([]);
    scene.clock.move(30 * 24 * HOUR);
    expect(decisions(await planned(scene)).filter((line) => !line.startsWith('done'))).toEqual([]);
  });

  // CONTENT-24
  it('runs again when the create is refused, and says so', async () => {
    const scene = await edited(of);
    await scene.fault({ kind: 'throttle', operation: `${of}.create`, retry_after_sec: 200 });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(messages(run)).toMatch(/The old version \d+ is active again, so nothing changed\./);
    expect(run.code, 'nothing is other than before').toBe(1);
    expect(await statuses(scene, kind)).toEqual([running]);
    await scene.service((control) => control.clearFaults());
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
  });

  it('says when the old one could not be switched on again', async () => {
    const scene = await edited(of);
    await scene.fault({ kind: 'throttle', operation: `${of}.create`, retry_after_sec: 200 });
    await scene.fault({
      kind: 'throttle',
      operation: `${of}.set-status`,
      nth: 2,
      times: 1000,
      retry_after_sec: 200,
    });
    const run = await applied(scene);
    expect(messages(run)).toMatch(/Herald paused the old version \d+, and did not start it again/);
    expect(run.code, 'the old one is paused').toBe(4);
    await scene.service((control) => control.clearFaults());
    expect(outcomes(await applied(scene)), 'finished by the next run').toEqual(['create applied']);
    expect(await statuses(scene, kind)).toEqual(['paused', running]);
  });

  it.each(['before_commit', 'after_commit'] as const)(
    'with a create lost %s ends with the new one live and the old one paused',
    async (when) => {
      const scene = await edited(of);
      await scene.fault({ kind: 'broken_answer', operation: `${of}.create`, how: 'reset', when, nth: 1 });
      const run = await applied(scene);
      expect(run.code).toBe(0);
      expect(outcomes(run)).toEqual([when === 'before_commit' ? 'replace applied' : 'replace adopted']);
      expect(await statuses(scene, kind)).toEqual(['paused', running]);
      expect(await createsSent(scene)).toBe(when === 'before_commit' ? 3 : 2);
      expect(decisions(await planned(scene))).toEqual([]);
      await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
      scene.clock.move(4 * HOUR);
      expect(await worstDispatch(scene)).toBe(1);
    },
  );

  it.each(['the pause was sent', 'the pause was on record', 'the create was sent'] as const)(
    'with a run that dies after %s is finished by the next one',
    async (moment) => {
      const scene = await edited(of);
      const [write, nth] = {
        'the pause was sent': ['end', 1],
        'the pause was on record': ['begin', 2],
        'the create was sent': ['end', 2],
      }[moment] as [string, number];
      let count = 0;
      await dieBefore(scene, (what) => what === write && (count += 1) === nth);
      const run = await applied(scene);
      expect(run.code).toBe(0);
      expect(outcomes(run)).toEqual(moment === 'the create was sent' ? [] : ['create applied']);
      expect(await statuses(scene, kind)).toEqual(['paused', running]);
      expect(decisions(await planned(scene))).toEqual([]);
    },
  );

  it('with a pause that shows and is never confirmed is finished only where a change is one step', async () => {
    const scene = await edited(of);
    await scene.fault({
      kind: 'broken_answer',
      operation: `${of}.set-status`,
      how: '502',
      when: 'after_commit',
    });
    const run = await applied(scene);
    if (kind === 'broadcast') {
      expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    } else {
      expect(run.code).toBe(3);
      expect(messages(run)).toMatch(/^No answer proves what became of it, so it may still take effect/);
      expect(await createsSent(scene)).toBe(1);
      const still = await scene.herald('apply', '--yes');
      expect(still.code, 'still not certain').toBe(5);
      expect(still.stdout.replaceAll(/\s+/g, ' ')).toContain('got no answer and may still succeed');
      await scene.service((control) => control.clearFaults());
      expect((await applied(scene)).code).toBe(0);
    }
    expect(await statuses(scene, kind)).toEqual(['paused', running]);
  });
});

describe('replace: create_first', () => {
  const files = declaring({
    campaigns: [campaign({ messages: [{ text: 'Hello' }], replace: 'create_first' })],
  });

  // CONTENT-24
  it('creates before it pauses', async () => {
    const scene = await edited('campaigns');
    Object.assign(scene.files.tree, files);
    expect((await applied(scene)).code).toBe(0);
    expect((await writesSent(scene)).slice(1)).toEqual([
      'POST campaigns.create',
      'PATCH campaigns.set-status',
    ]);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });

  it('says that both are live when the pause fails, and the next run ends that', async () => {
    const scene = await edited('campaigns');
    Object.assign(scene.files.tree, files);
    await scene.fault({ kind: 'throttle', operation: 'campaigns.set-status', retry_after_sec: 200 });
    const run = await applied(scene);
    expect(run.code).toBe(4);
    expect(messages(run)).toMatch(
      /The new version \d+ is live, and the old one \d+ runs as well, so fans could get both\. To go on: herald apply/,
    );
    await scene.service((control) => control.clearFaults());
    expect((await applied(scene)).code).toBe(0);
    expect((await liveOn(scene, '101', 'campaign')).map(({ text, status }) => `${text} ${status}`)).toEqual([
      'Hey paused',
      'Hello active',
    ]);
  });
});

describe('a service that stores something else than what was sent', () => {
  const paid = [{ id: '5', type: 'image', is_paid: true }];
  const priced = (price_gross: number) => [{ text: 'Hey', price_gross, attachments: paid }];

  it('is accepted with a warning, and never replaced for', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign({ messages: priced(9.99) })] }) });
    const stored = priced(10).map((message, step) => ({ step, ...message }));
    for (const operation of ['campaigns.create', 'campaigns.list'] as const)
      await scene.fault({ kind: 'odd_reply', operation, set: { messages: stored } });
    const run = await applied(scene);
    expect(run.code).toBe(0);
    expect(messages(run)).toContain('The service changed messages[0].price_gross while creating it.');
    expect(decisions(await planned(scene))).toEqual([]);
    expect((await applied(scene)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
  });

  it('also when it is the name', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({ kind: 'odd_reply', set: { name: 'WELCOME' } });
    const run = await applied(scene);
    expect(messages(run)).toBe('The service rewrote the name to "WELCOME".');
    expect(decisions(await planned(scene))).toEqual([]);
    expect((await applied(scene)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
  });
});
