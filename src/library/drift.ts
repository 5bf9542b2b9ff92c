import type { Plan } from '../domain/change.ts';
import { compareDiagnostics, type Diagnostic } from '../domain/diagnostic.ts';
import type { HistoryItem } from '../domain/history-item.ts';
import { explainDrift } from '../engine/drift.ts';
import { look, type Look } from '../engine/look.ts';
import { CHAT_SEND, explainViolations, readViolations } from '../events/blocked.ts';
import type { Circumstances } from '../plan/describe.ts';
import type { Targeting } from '../plan/facts.ts';
import { selectAddresses } from '../plan/targets.ts';
import type { State } from '../state/state.ts';
import { readHistory } from './history.ts';
import type { Opened } from './open.ts';
import { describeLook, withReadingRun } from './runs.ts';

/** What a drift is about. */
export interface DriftWishes {
  readonly targeting: Targeting;
  readonly circumstances: Circumstances;
  /** Whether the plan tells what the files declare. */
  readonly contents?: boolean;
  /** Throws if the targets are wrong. */
  readonly check?: (seen: Look) => void;
}

/** Looks at what differs between live and the files, and at messages that were blocked. Sends only reads. */
export function findDrift(
  opened: Opened,
  { targeting, circumstances, contents = true, check }: DriftWishes,
): Promise<Plan> {
  const { workspace } = opened;
  return withReadingRun(opened, async (run, state) => {
    const seen = await look(run, opened, { allow: new Set(workspace.allow), targeting });
    check?.(seen);
    const plan = await explainDrift(state, describeLook(opened, seen, circumstances, { contents }));
    const blocked = await findBlockedMessages(opened, state, seen, targeting);
    return { ...plan, diagnostics: [...plan.diagnostics, ...blocked].toSorted(compareDiagnostics) };
  });
}

/** How long a blocked message is named. */
const BLOCKED_SHOWN_MS = 7 * 86_400_000;

/** The messages that the guard blocked after the service had accepted them. */
async function findBlockedMessages(
  { ports: { events }, workspace }: Opened,
  state: State,
  { facts: { accounts, time } }: Look,
  targeting: Targeting,
): Promise<readonly Diagnostic[]> {
  const sinceMs = time.latestMs - BLOCKED_SHOWN_MS;
  const violations = await readViolations(events, sinceMs);
  const { selects } = selectAddresses(targeting);
  const isSend = (item: HistoryItem) => item.action === CHAT_SEND && selects(item);
  const sends = violations.events.length === 0 ? [] : await readHistory(state, isSend, { sinceMs });
  // Events may be about an account that the plan does not read.
  const declared = workspace.accounts.flatMap(({ alias, selector }) =>
    selector.by === 'id' ? [[selector.value, alias] as const] : [],
  );
  const found = explainViolations(
    violations.events,
    sends.map(({ item }) => item),
    new Map([...declared, ...accounts.map(({ alias, accountId }) => [accountId, alias] as const)]),
  );
  return violations.problem === null ? found : [violations.problem, ...found];
}
