import type { Lease } from '../../src/domain/lease.ts';
import type { ActLine, IntentLine, LedgerLine, OutcomeLine } from '../../src/ledger/lines.ts';
import type { ConnectedService } from '../../src/ledger/origins.ts';

/** A service of which nothing is known yet. */
export const UNKNOWN_CLOCK_SERVICE: ConnectedService = {
  address: 'https://service.example',
  serverInfo: () => ({ skewMs: null, sureSkewMs: null, isSimulator: false }),
};

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
    protect: false,
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

/** An imperative request with defaults: a chat message of alice, at noon. */
export function anActLine(more: Partial<ActLine> = {}): ActLine {
  return {
    v: 1,
    at: '2026-06-01T12:00:00.000Z',
    run: 'r',
    type: 'act',
    entry: 'r-1',
    who: 'tester',
    operation: 'chat.send',
    account: 'alice',
    account_id: '101',
    subject: 'chat 101001',
    details: { chat_id: '101001' },
    sent_at_ms: Date.UTC(2026, 5, 1, 12),
    ...more,
  };
}

export function textOf(lines: readonly LedgerLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** A lease that is never lost. */
export const HELD_LEASE: Lease = { lost: async () => null, release: async () => undefined };
