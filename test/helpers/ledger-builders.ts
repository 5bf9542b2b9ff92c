import type { IntentLine, LedgerLine, OutcomeLine } from '../../src/ledger/lines.ts';

/** An intent with defaults: the create of a campaign on alice, at noon. */
export function anIntent(more: Partial<IntentLine> = {}): IntentLine {
  return {
    v: 1,
    at: '2026-06-01T12:00:00.000Z',
    run: 'r',
    type: 'intent',
    account: 'alice',
    account_id: '101',
    kind: 'campaign',
    name: 'Welcome',
    entry: 'r-1',
    who: 'tester',
    call: 'create',
    live_id: null,
    target: null,
    purpose: null,
    content: 'c',
    hidden: 'h',
    wanted: null,
    supersedes: [],
    baseline: [],
    sent_at_ms: Date.UTC(2026, 5, 1, 12),
    ...more,
  };
}

/** An outcome with defaults: a second later, done. */
export function anOutcomeLine(more: Partial<OutcomeLine> = {}): OutcomeLine {
  return {
    v: 1,
    at: '2026-06-01T12:00:01.000Z',
    run: 'r',
    type: 'outcome',
    entry: 'r-1',
    outcome: 'done',
    live_id: '7',
    created_by: 'api_token:1',
    list_ids: [],
    message: '',
    sent_at_ms: null,
    unheard_ms: null,
    ...more,
  };
}

export function textOf(lines: readonly LedgerLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
