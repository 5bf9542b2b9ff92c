import { formatCommand } from '../../domain/command-line.ts';
import type { StateReport } from '../schemas.ts';
import { describeRequest } from '../../library/history.ts';
import type { RequestRow } from '../../state/shapes.ts';

/** An unconfirmed request, and how to find out what happened to it. */
export function describeUnconfirmed(row: RequestRow): StateReport['unconfirmed'][number] {
  const { entry, action, address, at, who } = describeRequest(row);
  const close = formatCommand('state', 'close', entry, '--because', '…');
  return { entry, what: `${action} ${address}`, sent_at: at, who, advice: `${advise(row)} ${close}` };
}

const WHEN_KNOWN = 'Once you know what happened:';

/** The command that finds out, and when to close it. */
function advise(row: RequestRow): string {
  const { kind, account, name, live_id: id, target } = row;
  const at = ['--account', account] as const;
  switch (kind) {
    case 'broadcast':
      if (target === null && id !== null)
        return `Check whether it was recalled: ${formatCommand('broadcasts', 'get', id, ...at)}. ${WHEN_KNOWN}`;
      return adviseApply();
    case 'campaign':
      return adviseApply();
    case 'message':
      return `Check the chat: ${formatCommand('chat', 'messages', name, ...at)}. ${WHEN_KNOWN}`;
    case 'payout':
      return `The next ${formatCommand('payouts', 'request')} for this account looks it up. If that does not tell:`;
    case 'label':
      return `Set the same labels again, which is harmless: ${formatCommand('fans', 'label', '--help')}. Otherwise:`;
    case 'follow':
      return `Follow the fan again, which is harmless: ${formatCommand('fans', 'follow', '--help')}. Otherwise:`;
    case 'upload':
      return 'Upload the same file again: it looks for the earlier upload first. Otherwise:';
    case 'call':
      return `Check on the service what happened. ${WHEN_KNOWN}`;
  }
}

function adviseApply(): string {
  return `To find out what happened: ${formatCommand('apply')}. If that does not tell, or if it is not in the files any more:`;
}
