import { describe, expect, it } from 'vitest';
import type { Observed } from '../../src/domain/resource.ts';
import { decideByHand, type ByHandFacts, type ByHandRequest } from '../../src/plan/decide/by-hand.ts';
import { aBroadcast, aCampaign, aLiveBroadcast, aLiveCampaign } from '../helpers/resource-builders.ts';
import { anOpenRequest, aRow, factsOf, HOUR, lineOf, MINUTE, NOON, stoppedRow } from './facts-of.ts';

type Asked = Pick<ByHandRequest, 'action'> & Partial<ByHandRequest>;

function decide(asked: Asked, observed: readonly Observed[], parts: Partial<ByHandFacts> = {}) {
  const kind = observed[0]?.kind ?? 'campaign';
  const what = { account: 'alice', liveId: observed[0]?.live.id ?? '' };
  const request = { kind, what, force: false, again: false, ...asked };
  return decideByHand(request, { ...factsOf([], observed), declared: null, ...parts });
}

/** `go: pause 1: pause 1, read_back 1` */
function linesOf(...args: Parameters<typeof decide>): readonly string[] {
  return decide(...args).map(({ answer, change }) => `${answer}: ${lineOf(change)}`);
}

const campaign = (status: string) => aLiveCampaign({ status });
const broadcast = (status: string, parts: object = {}) => aLiveBroadcast({ status, ...parts });
const left = { scheduled_at: null };

describe('a command by hand about one object', () => {
  it.each([
    ['pause', campaign('active'), 'go: pause 1: pause 1, read_back 1'],
    ['pause', campaign('paused'), 'so: keep 1'],
    ['pause', campaign('archived'), 'go: pause 1: pause 1, read_back 1'],
    ['pause', campaign('recalled'), 'cannot: blocked 1'],
    ['pause', campaign('melting'), 'cannot: blocked 1'],
    ['archive', campaign('active'), 'go: archive 1: archive 1, read_back 1'],
    ['archive', campaign('paused'), 'go: archive 1: archive 1, read_back 1'],
    ['archive', campaign('archived'), 'so: keep 1'],
    ['archive', campaign('unsent'), 'cannot: blocked 1'],
    ['recall', campaign('active'), 'go: recall 1: recall 1, read_back 1'],
    ['recall', campaign('paused'), 'go: recall 1: recall 1, read_back 1'],
    ['recall', campaign('archived'), 'cannot: blocked 1'],
    ['recall', campaign('recalling'), 'so: keep 1'],
    ['activate', campaign('active'), 'so: keep 1'],
    ['activate', campaign('paused'), 'go: activate 1: activate 1, read_back 1'],
    // CAMPAIGN-10
    ['activate', campaign('archived'), 'go: activate 1: activate 1, read_back 1'],
    ['activate', campaign('recalled'), 'cannot: blocked 1'],
    ['pause', broadcast('scheduled'), 'go: pause 1: pause 1, read_back 1'],
    ['pause', broadcast('queued'), 'go: pause 1: pause 1, read_back 1'],
    ['pause', broadcast('sending', left), 'go: pause 1: pause 1, read_back 1'],
    ['pause', broadcast('paused'), 'so: keep 1'],
    ['pause', broadcast('archived'), 'cannot: blocked 1'],
    ['pause', broadcast('melting'), 'go: pause 1: pause 1, read_back 1'],
    ['resume', broadcast('scheduled'), 'so: keep 1'],
    ['resume', broadcast('paused'), 'go: resume 1: resume 1, read_back 1'],
    ['resume', broadcast('archived'), 'cannot: blocked 1'],
    ['recall', broadcast('sending', left), 'go: recall 1: recall 1'],
    ['recall', broadcast('archived'), 'go: recall 1: recall 1'],
  ] as const)('%s of %o is %s', (action, observed, expected) => {
    expect(linesOf({ action }, [observed])).toEqual([expected]);
  });

  // CAMPAIGN-12
  it('names both commands where an archived campaign is to be recalled', () => {
    const [decision] = decide({ action: 'recall' }, [campaign('archived')]);
    const commands = ['pause', 'recall'].map((verb) => `herald campaigns ${verb} 1 --account alice`);
    expect(decision?.hint).toContain(commands.join(' && '));
  });

  it('sends the stop of an apply once more, so that it is a person that stopped it', () => {
    const live = campaign('paused');
    const [decision] = decide({ action: 'pause' }, [live], {
      known: { ...factsOf([], []).known, objects: [stoppedRow(live)] },
    });
    expect(decision).toMatchObject({
      answer: 'go',
      change: { steps: [{ kind: 'pause' }, { kind: 'read_back' }] },
    });
    expect(decision?.change.reasons.join()).toContain('only with --allow resume');
  });

  it('repeats a request that broke off with --again', () => {
    expect(linesOf({ action: 'pause', again: true }, [campaign('paused')])).toEqual([
      'go: pause 1: pause 1, read_back 1',
    ]);
  });
});

describe('a start by hand is held back', () => {
  const running = (object: Observed) => [
    object,
    { ...object, live: { ...object.live, id: '2' } } as Observed,
  ];

  it('while another version runs, was sent, or a request is open', () => {
    const [paused, active] = [campaign('paused'), aLiveCampaign({ id: '2' })];
    expect(linesOf({ action: 'activate' }, [paused, active])).toEqual(['held: blocked 1']);
    const sent = aLiveBroadcast({ id: '2', status: null, scheduled_at: null });
    expect(linesOf({ action: 'resume' }, [broadcast('paused'), sent])).toEqual(['held: blocked 1']);
    const open = [anOpenRequest(aCampaign(), { live_id: '1', target: 'paused' })];
    expect(linesOf({ action: 'activate' }, [paused], { open })).toEqual(['held: blocked 1']);
    expect(running(paused)).toHaveLength(2);
  });

  it('of what Herald recalled, or the service paused for send errors', () => {
    const errors = broadcast('paused', { pause_reason: 'send_errors' });
    expect(linesOf({ action: 'resume' }, [errors])).toEqual(['held: blocked 1']);
    expect(linesOf({ action: 'resume', force: true }, [errors])).toEqual([
      'go: resume 1: resume 1, read_back 1',
    ]);
    const known = { ...factsOf([], []).known, objects: [aRow(broadcast('paused'), { recalled: 1 })] };
    expect(linesOf({ action: 'resume' }, [broadcast('paused')], { known })).toEqual(['cannot: blocked 1']);
  });

  it('if its hour has passed by one of two clocks', () => {
    const time = { earliestMs: NOON + 5 * HOUR, latestMs: NOON + 6 * HOUR + MINUTE };
    expect(linesOf({ action: 'resume' }, [broadcast('paused')], { time })).toEqual(['held: blocked 1']);
    const [decision] = decide({ action: 'resume', force: true }, [broadcast('paused')], { time });
    expect(decision).toMatchObject({ answer: 'go', atOnce: true });
  });
});

describe('a command by hand about a name', () => {
  const lives = [
    aLiveCampaign({ id: '1' }),
    aLiveCampaign({ id: '2', status: 'paused' }),
    aLiveCampaign({ id: '3' }),
  ];

  it('stops everything of the name that runs', () => {
    const patterns = ['alice/campaign/Wel*'];
    expect(linesOf({ action: 'pause', what: { patterns } }, lives)).toEqual([
      'go: pause 1: pause 1, read_back 1',
      'go: pause 3: pause 3, read_back 3',
    ]);
    expect(linesOf({ action: 'archive', what: { patterns: ['Welcome'] } }, lives)).toHaveLength(3);
    expect(linesOf({ action: 'pause', what: { patterns: ['bob/campaign/*'] } }, lives)).toEqual([]);
  });

  it('starts the version that equals the file, and asks for an id without one', () => {
    const old = aLiveCampaign({ id: '1', status: 'archived', messages: [{ step: 0, text: 'Old' }] });
    const paused = aLiveCampaign({ id: '2', status: 'paused' });
    const what = { patterns: ['Welcome'] };
    const start = { action: 'activate', what } as const;
    expect(linesOf(start, [old, paused], { declared: [aCampaign()] })).toEqual([
      'go: activate 2: activate 2, read_back 2',
    ]);
    const [held] = decide(start, [old, paused], { declared: [aCampaign({ messages: [{ text: 'New' }] })] });
    expect(held).toMatchObject({ answer: 'held', change: { action: 'blocked' } });
    expect(held?.change.reasons.join()).toContain('Versions of this name: 1 (archived), 2 (paused)');
    expect(held?.hint).toContain('herald campaigns activate 2 --account alice');
    expect(decide(start, [old, paused], { declared: [aCampaign()] })[0]?.change.reasons.join()).toContain(
      '2 (paused, current)',
    );
  });

  it('of a broadcast stops what waits and what goes out', () => {
    const waits = aLiveBroadcast({ id: '1' });
    const sending = aLiveBroadcast({ id: '2', status: 'sending', scheduled_at: null });
    expect(
      linesOf({ action: 'pause', what: { patterns: [aBroadcast().address.name] } }, [waits, sending]),
    ).toHaveLength(2);
  });
});
