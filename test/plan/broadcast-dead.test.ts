import { describe, expect, it } from 'vitest';
import { RESUME_WINDOW_MS } from '../../src/domain/broadcast.ts';
import type { Allowance } from '../../src/domain/allowance.ts';
import type { PausePurpose } from '../../src/domain/knowledge.ts';
import { aBroadcast, aLiveBroadcast, knowing } from '../helpers/resource-builders.ts';
import { codesOf, HOUR, lineOf, linesOf, NOON, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];
const PAST = aBroadcast({ scheduledAtUtc: '2026-06-01T11:00:00Z' });

/** How long ago it was paused, by the service's clock. */
const AGES = {
  'under 5 days': RESUME_WINDOW_MS - 1,
  'exactly 5 days': RESUME_WINDOW_MS,
  'over 5 days': RESUME_WINDOW_MS + 1,
} as const;
type Age = keyof typeof AGES;

/** Who paused it, as far as the ledger tells. `unknown`: it knows the object and no pause; `lost`: the ledger is missing. */
type Who = 'us' | 'a person' | 'unknown' | 'lost';

function knownBy(who: Who, age: Age) {
  if (who === 'lost') return knowing();
  if (who === 'unknown') return knowing({ broadcasts: [{ id: '1' }] });
  const pausedFor: PausePurpose = who === 'us' ? 'declared' : 'by_hand';
  return knowing({ broadcasts: [{ id: '1', pausedFor, pausedAtMs: NOON - AGES[age] }] });
}

const RESUME = 'resume 1: resume 1, read_back 1';
const AGAIN = 'replace 1: prove_dead 1, check_not_left 1, create, read_back';
const ONE_MORE = 'replace 1: check_not_left 1, create, read_back';

const CELLS = `
hour  | content   | paused by | age            | decision                     | with --allow resume, adopt
ahead | equal     | us        | under 5 days   | ${RESUME}                    | ${RESUME}
ahead | equal     | us        | exactly 5 days | ${RESUME}                    | ${RESUME}
ahead | equal     | us        | over 5 days    | ${AGAIN}                      | ${AGAIN}
ahead | equal     | a person  | under 5 days   | blocked 1 needs resume       | ${RESUME}
ahead | equal     | a person  | exactly 5 days | blocked 1 needs resume       | ${RESUME}
ahead | equal     | a person  | over 5 days    | blocked 1 needs resume       | ${AGAIN}
ahead | equal     | unknown   | over 5 days    | blocked 1 needs resume       | ${RESUME}
ahead | equal     | lost      | over 5 days    | blocked 1 needs adopt resume | ${RESUME}
ahead | different | us        | under 5 days   | ${ONE_MORE}                    | ${ONE_MORE}
ahead | different | us        | over 5 days    | ${ONE_MORE}                    | ${ONE_MORE}
ahead | different | a person  | over 5 days    | blocked 1 needs resume       | ${ONE_MORE}
ahead | different | unknown   | over 5 days    | blocked 1 needs resume       | ${ONE_MORE}
ahead | different | lost      | over 5 days    | blocked 1 needs resume       | ${ONE_MORE}
ahead | unread    | us        | over 5 days    | blocked 1                    | blocked 1
ahead | left      | us        | over 5 days    | blocked 1                    | blocked 1
past  | equal     | us        | under 5 days   | done 1                       | done 1
past  | equal     | us        | over 5 days    | done 1                       | done 1
past  | equal     | a person  | over 5 days    | done 1                       | done 1
past  | equal     | lost      | over 5 days    | done 1                       | done 1
past  | left      | us        | over 5 days    | done 1                       | done 1
`;

const ROWS = CELLS.trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [hour, content, who, age, decision, allowed] = line.split('|').map((word) => word.trim());
    return { hour, content, who: who as Who, age: age as Age, decision, allowed };
  });

describe('a paused broadcast that is declared scheduled', () => {
  it.each(ROWS)(
    'hour $hour, $content, paused by $who, $age ago: $decision',
    ({ hour, content, who, age, decision, allowed }) => {
      const declared = hour === 'past' ? PAST : aBroadcast();
      const live = aLiveBroadcast({
        id: '1',
        status: 'paused',
        scheduled_at: content === 'left' ? null : declared.scheduledAtUtc,
        ...(content === 'different' ? { messages: OTHER } : {}),
        ...(content === 'unread' ? { messages: [] } : {}),
      });
      const knowledge = knownBy(who, age);
      expect(linesOf([declared], [live], { knowledge })).toEqual([decision]);
      const allow = new Set<Allowance>(['resume', 'adopt']);
      expect(linesOf([declared], [live], { knowledge, allow })).toEqual([allowed]);
    },
  );
});

describe('one that is dead', () => {
  const paused = (id: string) => aLiveBroadcast({ id, status: 'paused' });
  const dead = { pausedFor: 'declared', pausedAtMs: NOON - AGES['over 5 days'] } as const;
  const fresh = { pausedFor: 'declared', pausedAtMs: NOON - HOUR } as const;

  it('is called so, with the time of the pause and what becomes of it', () => {
    const plan = planOf([aBroadcast()], [paused('1')], { knowledge: knownBy('us', 'over 5 days') });
    expect(codesOf(plan)).toEqual(['dead']);
    expect(plan.changes[0]?.reasons).toEqual([
      'Herald paused it at 2026-05-27T11:59:59Z. The service does not resume it after 5 days.',
      'If the service refuses to resume 1, a new broadcast is created for 2026-06-01T18:00:00Z. 1 stays paused.',
    ]);
  });

  it('is left for a copy that can still be resumed', () => {
    const knowledge = knowing({
      broadcasts: [
        { id: '1', ...dead },
        { id: '2', ...fresh },
      ],
    });
    expect(linesOf([aBroadcast()], [paused('1'), paused('2')], { knowledge })).toEqual([
      'resume 2: resume 2, read_back 2',
    ]);
  });

  it('is proved dead next to every other copy that is, and none of them has left', () => {
    const knowledge = knowing({
      broadcasts: [
        { id: '1', ...dead },
        { id: '2', ...dead },
        { id: '3', ...fresh },
      ],
    });
    const other = aLiveBroadcast({ id: '3', status: 'paused', messages: OTHER });
    expect(linesOf([aBroadcast()], [paused('1'), paused('2'), other], { knowledge })).toEqual([
      'replace 1: prove_dead 1, prove_dead 2, check_not_left 1, check_not_left 2, check_not_left 3, create, read_back',
    ]);
  });

  it('is created again also where the files protect it: nothing is taken away', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1', isProtected: true, ...dead }] });
    expect(linesOf([aBroadcast({ protect: true })], [paused('1')], { knowledge })).toEqual([AGAIN]);
  });

  it('stays paused where it is declared so', () => {
    const knowledge = knownBy('us', 'over 5 days');
    expect(linesOf([aBroadcast({ target: 'paused' })], [paused('1')], { knowledge })).toEqual(['keep 1']);
  });

  it('stands in no way of one that waits', () => {
    const knowledge = knowing({ broadcasts: [{ id: '1', ...dead }, { id: '2' }] });
    expect(linesOf([aBroadcast()], [paused('1'), aLiveBroadcast({ id: '2' })], { knowledge })).toEqual([
      'keep 2',
    ]);
  });
});

describe('one with an ignored hour', () => {
  const declared = aBroadcast({ ignore: ['scheduled_at'] });
  const knowledge = knownBy('us', 'under 5 days');
  const pausedFor = (scheduled_at: string) => aLiveBroadcast({ id: '1', status: 'paused', scheduled_at });

  it('is resumed for its own hour, and the plan shows that hour', () => {
    const [change] = planOf([declared], [pausedFor('2026-06-02T09:00:00Z')], { knowledge }).changes;
    expect(change === undefined ? '' : lineOf(change)).toBe(RESUME);
    expect(change?.reasons).toContain('Goes out at 2026-06-02T09:00:00Z.');
  });

  it('is not resumed after its own hour, when it would go out at once', () => {
    const [change] = planOf([declared], [pausedFor('2026-06-01T11:00:00Z')], { knowledge }).changes;
    expect(change === undefined ? '' : lineOf(change)).toBe('blocked 1');
    expect(change?.reasons[0]).toContain('herald broadcasts resume 1 --account alice');
  });
});
