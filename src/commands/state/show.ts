import { defineCommand } from '../../cli/define-command.ts';
import type { StateReport } from '../../cli/schemas.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { nameAction } from '../../domain/history-item.ts';
import { formatAddress, formatApply } from '../../domain/resource.ts';
import { type Visible, shown, visible, visibleProse } from '../../domain/visible.ts';
import { count } from '../../render/wording.ts';
import type { RequestRow } from '../../state/shapes.ts';

/** Where the state is, who has the lease, and what is unconfirmed. Changes nothing. */
export const show = defineCommand({
  path: 'state show',
  about: 'show where the state is, who has the lease, and what is unconfirmed',
  examples: ['herald state show', 'herald state show --format json'],
  needs: 'state',
  run: async (context, _given, state) => {
    const { kind } = await context.state.location();
    const lease = await state.leaseRecord();
    const { isCut } = await state.known([]);
    const open = await state.open();
    const until = lease?.expires_at ?? null;
    const report: StateReport = {
      schema: 'herald/state/1',
      place: state.name,
      kind,
      service: state.service,
      lease: lease && { holder: lease.holder, until: until === null ? null : new Date(until).toISOString() },
      cut: isCut,
      objects: (await state.allObjects()).length,
      unconfirmed: open.filter(({ outcome }) => outcome === null).map(describeUnconfirmed),
    };
    return { json: () => report, text: () => drawReport(report) };
  },
});

function drawReport(report: StateReport): Visible[] {
  const { place, service, objects, cut, unconfirmed } = report;
  const afterCut = shown`It was imported, unlocked or lost: the next run waits for one window before it starts anything.`;
  return [
    shown`State: ${place}`,
    shown`Service: ${service}. ${count(objects, 'object')} known.`,
    drawLease(report),
    ...(cut ? [afterCut] : []),
    unconfirmed.length === 0
      ? shown`No request is unconfirmed.`
      : shown`${count(unconfirmed.length, 'request is', 'requests are')} unconfirmed:`,
    ...unconfirmed.flatMap(({ entry, what, sent_at: at, who, advice }) => [
      shown`  ${entry}: ${visibleProse(what)}, sent at ${at} by ${visible(who ?? 'an unknown person')}`,
      shown`      ${visibleProse(advice)}`,
    ]),
  ];
}

function drawLease({ kind, lease }: StateReport): Visible {
  if (lease === null) return shown`Lease: free.`;
  const { holder, until } = lease;
  const end =
    until !== null
      ? shown`It ends at ${until} unless that run renews it.`
      : kind === 'branch'
        ? shown`It does not end by itself. If that run is gone: ${formatCommand('state', 'unlock')}`
        : shown`If that process has ended, the next run takes it.`;
  return shown`Lease: ${visibleProse(holder)}. ${end}`;
}

/** An unconfirmed request, and how to find out what happened to it. */
export function describeUnconfirmed(row: RequestRow): StateReport['unconfirmed'][number] {
  const { entry, who } = row;
  const sent_at = new Date(row.sent_at).toISOString();
  const close = formatCommand('state', 'close', entry, '--because', '…');
  const what = `${nameAction(row)} ${formatAddress(row)}`;
  return { entry, what, sent_at, who, advice: `${advise(row)} ${close}` };
}

const WHEN_KNOWN = 'Once you know what happened:';

function advise(row: RequestRow): string {
  const { kind, account, name, live_id: id, target } = row;
  const at = ['--account', account] as const;
  switch (kind) {
    case 'campaign':
    case 'broadcast':
      if (kind === 'broadcast' && target === null && id !== null)
        return `Check whether it was recalled: ${formatCommand('broadcasts', 'get', id, ...at)}. ${WHEN_KNOWN}`;
      return `To find out what happened: ${formatApply(row)}. If that does not tell:`;
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
