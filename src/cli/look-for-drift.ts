import type { Plan } from '../domain/change.ts';
import { compareDiagnostics, type Diagnostic } from '../domain/diagnostic.ts';
import type { HistoryItem } from '../domain/history-item.ts';
import { explainDrift } from '../engine/drift.ts';
import { look } from '../engine/look.ts';
import { CHAT_SEND, explainViolations, readViolations } from '../events/blocked.ts';
import { describeLook } from '../library/describe-look.ts';
import { readHistory } from '../library/history.ts';
import type { Opened } from '../library/open.ts';
import { whileReading } from '../library/runs.ts';
import type { Targeting } from '../plan/facts.ts';
import { selectAddresses } from '../plan/targets.ts';
import type { State } from '../state/state.ts';
import { readCircumstances } from './circumstances.ts';
import type { Context } from './context.ts';
import { refuseUnmatched } from './plan-flags.ts';
import { runPorts } from './reporter.ts';

/** Looks at what differs between live and the files, and at messages that were blocked. Sends only reads. */
export function lookForDrift(
  context: Context,
  opened: Opened,
  { targeting, contents }: { readonly targeting: Targeting; readonly contents: boolean },
): Promise<Plan> {
  const { workspace } = opened;
  return whileReading(runPorts(context), opened, async (run, state) => {
    const seen = await look(run, opened, { allow: new Set(workspace.allow), targeting });
    const described = describeLook(opened, seen, readCircumstances(context, []), { contents });
    refuseUnmatched(targeting, described);
    const explained = await explainDrift(state, described);
    const { accounts, time } = described.facts;
    // Events may be about an account that the plan does not read.
    const declared = workspace.accounts.flatMap(({ alias, selector }) =>
      selector.by === 'id' ? [[selector.value, alias] as const] : [],
    );
    const found = await findBlockedMessages(context, state, {
      aliases: new Map([...declared, ...accounts.map(({ alias, accountId }) => [accountId, alias] as const)]),
      isWanted: selectAddresses(targeting).selects,
      nowMs: time.latestMs,
    });
    return { ...explained, diagnostics: [...explained.diagnostics, ...found].toSorted(compareDiagnostics) };
  });
}

/** How long a blocked message is named. */
const BLOCKED_SHOWN_MS = 7 * 86_400_000;

interface Wanted {
  readonly aliases: ReadonlyMap<string, string>;
  readonly isWanted: (item: HistoryItem) => boolean;
  /** By the service's clock. */
  readonly nowMs: number;
}

/** The messages that the guard blocked after the service had accepted them. */
async function findBlockedMessages(
  { events }: Context,
  state: State,
  { aliases, isWanted, nowMs }: Wanted,
): Promise<readonly Diagnostic[]> {
  const sinceMs = nowMs - BLOCKED_SHOWN_MS;
  const violations = await readViolations(events, sinceMs);
  const isSend = (item: HistoryItem) => item.action === CHAT_SEND && isWanted(item);
  const sends = violations.events.length === 0 ? [] : await readHistory(state, isSend, { sinceMs });
  const items = sends.map(({ item }) => item);
  const found = explainViolations(violations.events, items, aliases);
  return violations.problem === null ? found : [violations.problem, ...found];
}
