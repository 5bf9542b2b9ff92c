import { describe, expect, it } from 'vitest';
import { aCampaign, aLiveCampaign, knowing } from '../helpers/resource-builders.ts';
import type { Change } from '../../src/domain/change.ts';
import { linesOf, planOf } from './plan-of.ts';

const text = (words: string) => [{ text: words }];
const live = (id: string, name: string, words: string, more: object = {}) =>
  aLiveCampaign({ id, name, messages: text(words), ...more });
const declared = (name: string, words: string, more: object = {}) =>
  aCampaign({ name, messages: text(words), ...more });
const all = (...ids: string[]) =>
  knowing({ campaigns: ids.map((id, index) => ({ id, name: 'ABCDE'[index] ?? '' })) });

describe('a start of content that another object goes on sending', () => {
  // A is protected, so it keeps "one".
  const kept = declared('A', 'new', { protect: true });

  it('is blocked, and so is what would start the content of its own object', () => {
    const observed = [live('1', 'A', 'one'), live('2', 'B', 'two'), live('3', 'C', 'three')];
    const files = [
      kept,
      declared('B', 'one'),
      declared('C', 'two'),
      declared('D', 'three'),
      declared('E', 'four'),
    ];
    const plan = planOf(files, observed, { knowledge: all('1', '2', '3') });
    expect(plan.changes.map(({ action, address }) => `${address.name} ${action}`)).toEqual([
      'A blocked',
      'B blocked',
      'C blocked',
      'D blocked',
      'E create',
    ]);
    expect(plan.changes[1]?.reasons).toEqual([
      'The same content is live as "A" (1), which stays as it is in this run, so fans would get it twice. First resolve what blocks alice/campaign/A.',
    ]);
  });

  it('goes ahead where the other object is replaced or stopped in the same run', () => {
    const observed = [live('1', 'A', 'one'), live('2', 'B', 'two')];
    const knowledge = all('1', '2');
    for (const first of [declared('A', 'three'), declared('A', 'one', { target: 'paused' })])
      expect(linesOf([first, declared('B', 'one')], observed, { knowledge })[1]).toMatch(/^replace 2/);
  });

  it('is blocked in an exchange, where each would have to stop before the other one starts', () => {
    const observed = [live('1', 'A', 'one'), live('2', 'B', 'two'), live('3', 'C', 'three')];
    const files = [declared('A', 'two'), declared('B', 'one'), declared('C', 'three'), declared('D', 'two')];
    const plan = planOf(files, observed, { knowledge: all('1', '2', '3') });
    expect(plan.changes.map(({ action, address }) => `${address.name} ${action}`)).toEqual([
      'A blocked',
      'B blocked',
      'C keep',
      'D blocked',
    ]);
    expect(plan.changes[0]?.reasons).toEqual([
      'The same content is live as "B" (2), and each of the two would have to stop before the other one starts, so fans could get it twice. Pause it first: herald campaigns pause 2 --account alice. Then: herald apply --allow resume',
    ]);
  });

  it('is blocked next to one that is declared paused and stays as it is', () => {
    const paused = declared('A', 'one', { target: 'paused', protect: true });
    const observed = [live('1', 'A', 'one'), live('2', 'B', 'two')];
    expect(linesOf([paused, declared('B', 'one')], observed, { knowledge: all('1', '2') })[1]).toMatch(
      /^blocked 2/,
    );
  });

  it('is blocked next to one of which the change was not reviewed or not approved', () => {
    const observed = [live('1', 'A', 'one'), live('2', 'B', 'two')];
    const files = [declared('A', 'three'), declared('B', 'one')];
    const knowledge = all('1', '2');
    const approvals = ({ address }: Change) => (address.name === 'A' ? 'Not approved.' : null);
    const plan = planOf(files, observed, { knowledge, approvals });
    expect(plan.changes.map(({ reasons }) => reasons[0])).toEqual([
      'Not approved.',
      expect.stringContaining('First resolve what blocks alice/campaign/A.'),
    ]);
  });

  it('goes ahead where the other file wants just that, or nothing of it runs', () => {
    const knowledge = all('1', '2');
    const both = [
      declared('A', 'one', { protect: true, rules: { unsend_delay_sec: 60 } }),
      declared('B', 'one'),
    ];
    const paused = [live('1', 'A', 'one', { status: 'paused' }), live('2', 'B', 'two')];
    expect(linesOf(both, [live('1', 'A', 'one'), live('2', 'B', 'two')], { knowledge })[1]).toMatch(
      /^replace 2/,
    );
    expect(linesOf([kept, declared('B', 'one')], paused, { knowledge })[1]).toMatch(/^replace 2/);
  });
});
