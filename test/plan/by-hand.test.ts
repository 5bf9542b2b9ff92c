import { describe, expect, it } from 'vitest';
import type { Observed } from '../../src/domain/resource.ts';
import { decideByHand, type ByHandRequest } from '../../src/plan/decide/by-hand.ts';
import type { GroupFacts } from '../../src/plan/decide/group.ts';
import { aCampaign, aLiveBroadcast, aLiveCampaign } from '../helpers/resource-builders.ts';
import { anOpenRequest, aRow, factsOf, HOUR, lineOf, MINUTE } from './facts-of.ts';
import { NOON } from '../helpers/flow-clock.ts';

type Asked = Pick<ByHandRequest, 'action'> & Partial<ByHandRequest>;

function decide(asked: Asked, observed: readonly Observed[], parts: Partial<GroupFacts> = {}) {
  const kind = observed[0]?.kind ?? 'campaign';
  const what = { account: 'alice', liveId: observed[0]?.live.id ?? '' };
  const request = { kind, what, force: false, again: false, ...asked };
  return decideByHand(request, { ...factsOf([], observed), ...parts });
}

/** `pause 1: pause 1, read_back 1` or `held: blocked 1`; null if there is none. */
function lineFor(...args: Parameters<typeof decide>): string | null {
  const decision = decide(...args);
  return decision === null ? null : `${decision.isHeld ? 'held: ' : ''}${lineOf(decision.change)}`;
}

function reasonsFor(...args: Parameters<typeof decide>): string {
  return decide(...args)?.change.reasons.join(' ') ?? '';
}

const campaign = (status: string) => aLiveCampaign({ status });
const broadcast = (status: string, parts: object = {}) => aLiveBroadcast({ status, ...parts });
const left = { scheduled_at: null };

describe('a command by hand about one object', () => {
  it.each([
    ['pause', campaign('active'), 'pause 1: pause 1, read_back 1'],
    ['pause', campaign('paused'), 'pause 1: pause 1, read_back 1'],
    ['pause', campaign('archived'), 'pause 1: pause 1, read_back 1'],
    ['pause', campaign('recalled'), 'pause 1: pause 1, read_back 1'],
    ['pause', campaign('melting'), 'pause 1: pause 1, read_back 1'],
    ['archive', campaign('melting'), 'archive 1: archive 1, read_back 1'],
    ['recall', campaign('melting'), 'recall 1: recall 1, read_back 1'],
    ['activate', campaign('melting'), 'blocked 1'],
    ['archive', campaign('active'), 'archive 1: archive 1, read_back 1'],
    ['archive', campaign('paused'), 'archive 1: archive 1, read_back 1'],
    ['archive', campaign('archived'), 'archive 1: archive 1, read_back 1'],
    ['archive', campaign('unsent'), 'archive 1: archive 1, read_back 1'],
    ['recall', campaign('active'), 'recall 1: recall 1, read_back 1'],
    ['recall', campaign('paused'), 'recall 1: recall 1, read_back 1'],
    ['recall', campaign('archived'), 'recall 1: recall 1, read_back 1'],
    ['recall', campaign('recalling'), 'recall 1: recall 1, read_back 1'],
    ['activate', campaign('active'), 'keep 1'],
    ['activate', campaign('paused'), 'activate 1: activate 1, read_back 1'],
    // CAMPAIGN-10
    ['activate', campaign('archived'), 'activate 1: activate 1, read_back 1'],
    ['activate', campaign('recalled'), 'blocked 1'],
    ['pause', broadcast('scheduled'), 'pause 1: pause 1, read_back 1'],
    ['pause', broadcast('queued'), 'pause 1: pause 1, read_back 1'],
    ['pause', broadcast('sending', left), 'pause 1: pause 1, read_back 1'],
    ['pause', broadcast('paused'), 'pause 1: pause 1, read_back 1'],
    ['pause', broadcast('archived'), 'pause 1: pause 1, read_back 1'],
    ['pause', broadcast('melting'), 'pause 1: pause 1, read_back 1'],
    ['resume', broadcast('scheduled'), 'keep 1'],
    ['resume', broadcast('paused'), 'resume 1: resume 1, read_back 1'],
    ['resume', broadcast('archived'), 'blocked 1'],
    ['recall', broadcast('sending', left), 'recall 1: recall 1'],
    ['recall', broadcast('archived'), 'recall 1: recall 1'],
  ] as const)('%s of %o is %s', (action, observed, expected) => {
    expect(lineFor({ action }, [observed])).toBe(expected);
  });

  // CAMPAIGN-12
  it('names both commands where an archived campaign is to be recalled', () => {
    const commands = ['pause', 'recall'].map((verb) => `herald campaigns ${verb} 1 --account alice`);
    expect(reasonsFor({ action: 'recall' }, [campaign('archived')])).toContain(commands.join(' && '));
  });

  it('shows a status that it does not know', () => {
    expect(reasonsFor({ action: 'pause' }, [campaign('melting')])).toContain(
      'Its status is "melting", which',
    );
  });

  it('sends the stop of an apply once more, so that it is a person that stopped it', () => {
    expect(reasonsFor({ action: 'pause' }, [campaign('paused')])).toContain('only with --allow resume');
  });

  it('finds nothing on another account', () => {
    const what = { account: 'bob', liveId: '1' };
    expect(lineFor({ action: 'pause', what }, [campaign('active')])).toBeNull();
  });
});

describe('a start by hand is held back', () => {
  it('while another version runs, was sent, or a request is open', () => {
    const [paused, active] = [campaign('paused'), aLiveCampaign({ id: '2' })];
    expect(lineFor({ action: 'activate' }, [paused, active])).toBe('held: blocked 1');
    expect(reasonsFor({ action: 'activate' }, [paused, active])).toContain(
      'Pause it first: herald campaigns',
    );
    const sent = aLiveBroadcast({ id: '2', status: null, scheduled_at: null });
    expect(lineFor({ action: 'resume' }, [broadcast('paused'), sent])).toBe('held: blocked 1');
    // A pause of it would change nothing.
    expect(reasonsFor({ action: 'resume' }, [broadcast('paused'), sent])).not.toContain('Pause it first');
    const open = [anOpenRequest(aCampaign(), { live_id: '1', target: 'paused' })];
    expect(lineFor({ action: 'activate' }, [paused], { open })).toBe('held: blocked 1');
  });

  it('while its content runs under another name', () => {
    const lives = [campaign('paused'), aLiveCampaign({ id: '2', name: 'Other' })];
    expect(reasonsFor({ action: 'activate' }, lives, { declared: [aCampaign()] })).toContain(
      'The same content runs as "Other" (2)',
    );
  });

  it('of what Herald recalled, or the service paused for send errors', () => {
    const errors = broadcast('paused', { pause_reason: 'send_errors' });
    expect(lineFor({ action: 'resume' }, [errors])).toBe('held: blocked 1');
    expect(lineFor({ action: 'resume', force: true }, [errors])).toBe('resume 1: resume 1, read_back 1');
    const known = { ...factsOf([], []).known, objects: [aRow(broadcast('paused'), { recalled: 1 })] };
    expect(lineFor({ action: 'resume' }, [broadcast('paused')], { known })).toBe('blocked 1');
  });

  it('if its hour has passed by one of two clocks', () => {
    const time = { earliestMs: NOON + 5 * HOUR, latestMs: NOON + 6 * HOUR + MINUTE };
    expect(lineFor({ action: 'resume' }, [broadcast('paused')], { time })).toBe('held: blocked 1');
    expect(reasonsFor({ action: 'resume', force: true }, [broadcast('paused')], { time })).toContain(
      'It goes out NOW',
    );
  });
});

it.each([
  [0, 'The service resumes it until 2026-06-06T12:00:00Z.'],
  [5 * 24 * HOUR, 'It was paused more than 5 days ago, and the service does not resume it after that.'],
])('a resume %i ms after the pause on record says how long the service takes it', (ms, words) => {
  const live = broadcast('paused');
  const known = { ...factsOf([], []).known, objects: [aRow(live, { status_set: 'paused', status_seq: 7 })] };
  const past = { statusTimes: new Map([[7, NOON - ms]]), refused: [] };
  expect(reasonsFor({ action: 'resume', force: true }, [live], { known, past })).toContain(words);
});

describe('a start by name', () => {
  const old = aLiveCampaign({ id: '1', status: 'archived', messages: [{ step: 0, text: 'Old' }] });
  const paused = aLiveCampaign({ id: '2', status: 'paused' });
  const start = { action: 'activate', what: { account: 'alice', name: 'Welcome' } } as const;

  it('starts the version that equals the file', () => {
    const parts = { declared: [aCampaign()] };
    expect(lineFor(start, [old, paused], parts)).toBe('activate 2: activate 2, read_back 2');
    expect(reasonsFor(start, [old, paused], parts)).toContain('2 (paused, current)');
    expect(lineFor(start, [])).toBeNull();
  });

  it('names what an apply has replaced, when and by which version', () => {
    const next = aLiveCampaign({ id: '2', status: 'paused', created_at: '2026-05-01T10:00:00Z' });
    const known = { ...factsOf([], []).known, objects: [aRow(old, { replaced_by: '2' })] };
    expect(reasonsFor(start, [old, next], { declared: [aCampaign()], known })).toContain(
      '1 (archived, replaced on 2026-05-01T10:00:00Z by 2), 2 (paused, created on 2026-05-01T10:00:00Z, current)',
    );
  });

  it('asks for an id without one', () => {
    const parts = { declared: [aCampaign({ messages: [{ text: 'New' }] })] };
    expect(lineFor(start, [old, paused], parts)).toBe('held: blocked 2');
    expect(reasonsFor({ action: 'activate' }, [paused], parts)).toContain(
      'It differs from its file (messages[0].text). Fans get "Hey".',
    );
    expect(reasonsFor(start, [old, paused], parts)).toContain(
      'Versions of this name: 1 (archived), 2 (paused). Name one by its id: herald campaigns activate 2 --account alice',
    );
  });
});
