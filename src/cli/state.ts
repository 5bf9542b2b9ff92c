import type { Context } from './context.ts';
import type { StateCheck, StateReport } from './schemas.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { worldFileOf } from '../domain/service-identity.ts';
import { quoted } from '../domain/visible.ts';
import { describeRequest } from '../library/history.ts';
import { LIVE, withState } from '../library/state-access.ts';
import type { RequestRow } from '../state/shapes.ts';
import type { State, StateReport as Found } from '../state/state.ts';

/** An unconfirmed request, and how to find out what happened to it. */
export function describeUnconfirmed(row: RequestRow): StateReport['unconfirmed'][number] {
  const { entry, action, address, at, who } = describeRequest(row);
  const close = formatCommand('state', 'close', entry, '--because', '…');
  return { entry, what: `${action} ${address}`, sent_at: at, who, advice: `${advise(row)} ${close}` };
}

const WHEN_KNOWN = 'Once you know what happened:';

/** The command that finds out, and when to close it. */
function advise({ kind, account, name, live_id: id, target }: RequestRow): string {
  const at = ['--account', account] as const;
  switch (kind) {
    case 'campaign':
    case 'broadcast':
      if (kind === 'broadcast' && target === null && id !== null)
        return `Check whether it was recalled: ${formatCommand('broadcasts', 'get', id, ...at)}. ${WHEN_KNOWN}`;
      return `To find out what happened: ${formatCommand('apply')}. If that does not tell, or if it is not in the files any more:`;
    case 'message':
      return `Check the chat: ${formatCommand('chat', 'messages', name, ...at)}. ${WHEN_KNOWN}`;
    case 'payout':
      return `The next ${formatCommand('payouts', 'request')} for this account looks it up. If that does not tell:`;
    case 'upload':
      return 'Upload the same file again: it looks for the earlier upload first. Otherwise:';
    default:
      return 'Send the same once more, which is harmless. Otherwise:';
  }
}

/** Checks the whole state, whichever service its rows are of. Changes nothing. */
export function checkState(context: Pick<Context, 'state' | 'clock'>): Promise<StateCheck> {
  return withState(
    context.state.read(() => LIVE),
    async (state) => {
      const report = await state.check();
      const findings = listFindings(report, context.clock.now());
      return {
        schema: 'herald/state-check/1',
        healthy: !findings.some(({ severity }) => severity === 'error'),
        place: state.name,
        services: [...report.services],
        findings,
      };
    },
  );
}

/** An apply finds out about a request that is younger. */
const DAY_MS = 86_400_000;

function listFindings({ damage, unconfirmed, same_names: names }: Found, nowMs: number): Diagnostic[] {
  return [
    ...damage.map((words): Diagnostic => ({
      severity: 'error',
      code: 'state-damaged',
      message: `The database is damaged: ${words}. Do not apply with it. Move the file away, and restore a backup or import an export: ${formatCommand('state', 'import', 'FILE')}. Without one, the next run waits before it starts anything, and needs --allow adopt for what is live.`,
    })),
    ...unconfirmed.map((row): Diagnostic => {
      const { what, sent_at: at, advice } = describeUnconfirmed(row);
      const isSimulated = worldFileOf(row.service) !== null;
      const where = isSimulated ? ` on ${row.service}` : '';
      const isOld = nowMs - row.sent_at > DAY_MS;
      return {
        severity: !isOld ? 'info' : isSimulated ? 'warning' : 'error',
        code: 'state-unconfirmed',
        message: `${what}${where}, sent at ${at}, ${isOld ? 'has been unconfirmed for more than a day' : 'is unconfirmed'}. ${advice}`,
      };
    }),
    ...names.map(({ service, account_id: id, kind, name, objects }): Diagnostic => ({
      severity: 'warning',
      code: 'state-same-name',
      message: `${objects} running ${kind}s of account ${id} on ${service} have the name ${quoted(name)}. ${formatCommand('plan')} shows which of them an apply stops.`,
    })),
  ];
}

/** Who has the lease; null if no run has it. */
export function readLease(context: Pick<Context, 'state'>): ReturnType<State['leaseRecord']> {
  return withState(
    context.state.read(() => LIVE),
    (state) => state.leaseRecord(),
  );
}
