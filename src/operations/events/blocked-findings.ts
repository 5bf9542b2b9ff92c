import type { Plan } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { compareDiagnostics, type Diagnostic } from '../../domain/diagnostic.ts';
import type { EventStore } from '../../domain/event-store.ts';
import { formatAddress, type ResolvedAccount } from '../../domain/resource.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Violation } from '../../events/violations.ts';
import type { ObjectRow } from '../../state/shapes.ts';
import type { State } from '../../state/state.ts';
import { blockedIn, blockedWords, CHAT_SEND, DECIDES_WITHIN_MS, type Blocked, type Sent } from './blocked.ts';
import { readSentMessages } from './sent.ts';
import { readViolations } from './violations.ts';

/** What is looked at for blocked messages. */
export interface BlockedTerms {
  readonly events: Pick<EventStore, 'read'>;
  /** Open to read. */
  readonly state: Pick<State, 'history' | 'known'>;
  readonly accounts: readonly ResolvedAccount[];
  /** Whether the run is about this address. */
  readonly isWanted: (item: Pick<Sent, 'account' | 'kind' | 'name'>) => boolean;
  /** By the service's clock. */
  readonly nowMs: number;
}

/** How long a blocked chat message is shown, and events that fit nothing of Herald. */
const SHOWN_MS = 7 * 86_400_000;

/**
 * Adds to a drift the messages that the service had accepted and that the guard blocked afterwards. A chat message is named for
 * a week, or until another one was sent to its chat; a campaign or broadcast until it is stopped or replaced.
 */
export async function withBlockedMessages(plan: Plan, terms: BlockedTerms): Promise<Plan> {
  const { violations, problem } = await readViolations(terms.events);
  if (violations.length === 0 && problem === null) return plan;
  const found: Diagnostic[] = [];
  if (problem !== null) found.push(problem);
  if (violations.length > 0) found.push(...(await findingsOf(violations, terms)));
  return { ...plan, diagnostics: [...plan.diagnostics, ...found].toSorted(compareDiagnostics) };
}

async function findingsOf(
  violations: readonly Violation[],
  { state, accounts, isWanted, nowMs }: BlockedTerms,
): Promise<readonly Diagnostic[]> {
  const aliases = new Map<string, string>(accounts.map(({ alias, accountId }) => [accountId, alias]));
  const sends = await readSentMessages(state, nowMs - SHOWN_MS - DECIDES_WITHIN_MS);
  const { objects } = await state.known([...aliases.keys()]);
  const creates = objects.filter(({ ours }) => ours === 1).map((object) => asCreate(object, aliases));
  const { blocked, others } = blockedIn<Sent>([...sends, ...creates.map(({ item }) => item)], violations);
  const over = new Set([
    ...creates.filter(({ isOver }) => isOver).map(({ item }) => item),
    ...sends.filter((item, index) => sends.slice(0, index).some((later) => isSentAfter(item, later))),
  ]);
  const isRecent = ({ atMs }: Violation) => nowMs - atMs < SHOWN_MS;
  const messages = [...blocked.values()].filter(
    ({ item, violations: own }) =>
      isWanted(item) && !over.has(item) && (item.action !== CHAT_SEND || own.some(isRecent)),
  );
  const unmatched = others.filter(
    (violation) =>
      isRecent(violation) &&
      violation.sendId === null &&
      !violation.isByPerson &&
      aliases.has(violation.accountId ?? ''),
  );
  const byAccount = groupBy(unmatched, ({ accountId }) => aliases.get(accountId ?? '') ?? '');
  return [
    ...messages.map(messageFinding),
    ...[...byAccount].map(([account, own]) => unmatchedFinding(account, own)),
  ];
}

/** An object as the create that made it. Events name it by its id, whenever that was. */
function asCreate(
  { account_id, kind, name, live_id, replaced_by, recalled, status_set }: ObjectRow,
  aliases: ReadonlyMap<string, string>,
): { readonly item: Sent; readonly isOver: boolean } {
  const account = aliases.get(account_id) ?? account_id;
  const made = { at: '', action: 'create', outcome: 'done' } as const;
  return {
    item: { ...made, account, account_id, kind, name, live_id },
    isOver: replaced_by !== null || recalled === 1 || status_set === 'paused' || status_set === 'archived',
  };
}

function isSentAfter({ account_id, name }: Sent, later: Sent): boolean {
  return later.account_id === account_id && later.name === name && later.outcome === 'done';
}

function messageFinding(blocked: Blocked): Diagnostic {
  return {
    severity: 'warning',
    code: 'message-blocked',
    message: `${blockedWords(blocked)}.`,
    address: formatAddress(blocked.item),
    at: new Date(blocked.violations[0].atMs).toISOString(),
  };
}

function unmatchedFinding(account: string, violations: readonly Violation[]): Diagnostic {
  const last = new Date(Math.max(...violations.map(({ atMs }) => atMs))).toISOString();
  const which = violations.length === 1 ? 'a message' : `${violations.length} messages`;
  return {
    severity: 'info',
    code: 'message-blocked',
    message: `The message guard blocked ${which} of ${account}, the last at ${last}. The events name nothing that Herald sent. They may be about a campaign or a broadcast of this account, or about another program. To see them: ${formatCommand('events', 'list', '--account', account, '--kind', 'firewall.*')}`,
  };
}
